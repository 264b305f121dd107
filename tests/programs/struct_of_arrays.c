// function: board
enum piece { EMPTY, KING = 5, PAWN };
struct board { enum piece squares[2][2]; _Bool used[3]; double weights[2]; };
int board(const struct board *board)
{
    if (board->squares[1][0] == KING && board->used[2] && board->weights[1] > 0.25)  // expect branch: covered
        return 1;
    return 0;
}
