// function: header
struct header { unsigned version : 4; signed kind : 3; _Bool last : 1; unsigned : 0; unsigned long long size : 40; };
int header(struct header *header)
{
    if (header->version == 9 && header->kind == -2 && header->last)  // expect branch: covered
        return 1;
    if (header->size > 0xffffffffffull - 1)
        header->version = 3;
    return 0;
}
