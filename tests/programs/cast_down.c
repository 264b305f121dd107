// function: handle
// A pointer to what several structs begin with.
struct message { int type; int size; };
struct request { struct message head; int id; char *name; };
struct reply { struct message head; int code; struct reply *more; };

int handle(struct message *message)
{
    switch (message->type) {
    case 1: { // expect branch: covered
        struct request *request = (struct request *)message;
        if (request->id == 7 && request->name && request->name[0] == 'n')
            return 1;
        break;
    }
    case 2: {
        struct reply *reply = (struct reply *)message;
        if (reply->more && reply->more->code == 9)
            return 2;
        break;
    }
    }
    return 0;
}
