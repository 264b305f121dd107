/* Models of <arpa/inet.h> on a little-endian machine: the order of bytes. */

unsigned short tightrope_model_htons(unsigned short value) { return __builtin_bswap16(value); }
unsigned short tightrope_model_ntohs(unsigned short value) { return __builtin_bswap16(value); }
unsigned tightrope_model_htonl(unsigned value) { return __builtin_bswap32(value); }
unsigned tightrope_model_ntohl(unsigned value) { return __builtin_bswap32(value); }
