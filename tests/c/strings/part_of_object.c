// A buffer inside of a structure is filled without touching what lies behind it.
#include <assert.h>
#include <string.h>
#include <unistd.h>

struct packet {
    int kind;
    char data[24];
    int checksum;
};

int main(void)
{
    struct packet packet, other;

    packet.kind = 1;
    packet.checksum = 2;
    memcpy(packet.data, "0123456789", 10);
    assert(packet.kind == 1); // SAFE
    assert(packet.checksum == 2); // SAFE
    memset(packet.data, 0, sizeof(packet.data));
    assert(packet.kind == 1 && packet.checksum == 2); // SAFE
    other.kind = 4;
    memset(&other, 0, sizeof(packet.data));
    assert(packet.kind == 1); // SAFE
    assert(other.kind == 4); // UNSAFE!
    return 0;
}
