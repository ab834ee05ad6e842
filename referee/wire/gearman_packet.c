/* A packet is "\0REQ" or "\0RES", its type and the length of the rest as big-endian numbers, and
 * the arguments. */

#include "wire/gearman_packet.h"

#include <string.h>

static const char request[4] = {'\0', 'R', 'E', 'Q'};
static const char answer[4] = {'\0', 'R', 'E', 'S'};

static void put_number(char *bytes, uint32_t number)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (char)(number >> (24 - 8 * i) & 255);
}

static uint32_t get_number(const char *bytes)
{
    uint32_t number = 0;

    for (unsigned i = 0; i < 4; i++)
        number = number << 8 | (unsigned char)bytes[i];
    return number;
}

void gearman_packet_write_head(char head[GEARMAN_HEAD_BYTES], unsigned type, size_t length)
{
    memcpy(head, request, sizeof request);
    put_number(head + 4, type);
    put_number(head + 8, (uint32_t)length);
}

int gearman_packet_read_head(const char head[GEARMAN_HEAD_BYTES], unsigned *type, size_t *length)
{
    *type = get_number(head + 4);
    *length = get_number(head + 8);
    return memcmp(head, answer, sizeof answer) == 0 && *length <= GEARMAN_PACKET_MAX ? 0 : -1;
}

/* How many arguments an answer has. */
static unsigned count_of(unsigned type)
{
    switch (type) {
    case GEARMAN_NOOP:
    case GEARMAN_NO_JOB:
        return 0;
    case GEARMAN_JOB_ASSIGN_UNIQ:
        return 4;
    case GEARMAN_STATUS_RES:
        return 5;
    case GEARMAN_WORK_STATUS:
        return 3;
    case GEARMAN_WORK_COMPLETE:
    case GEARMAN_WORK_DATA:
    case GEARMAN_WORK_WARNING:
    case GEARMAN_WORK_EXCEPTION:
    case GEARMAN_ERROR:
        return 2;
    default:
        return 1;
    }
}

int gearman_packet_read(struct gearman_packet *packet, unsigned type, struct span body)
{
    packet->type = type;
    packet->count = count_of(type);
    for (unsigned i = 0; i < packet->count; i++) {
        const char *end = body.length > 0 ? memchr(body.start, '\0', body.length) : NULL;

        packet->arguments[i] = body;
        if (i + 1 == packet->count)
            return 0;
        if (end == NULL)
            return -1;
        packet->arguments[i].length = (size_t)(end - body.start);
        body.length -= packet->arguments[i].length + 1;
        body.start = end + 1;
    }
    return 0;
}
