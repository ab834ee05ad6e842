#ifndef REFEREE_WIRE_GEARMAN_PACKET_H
#define REFEREE_WIRE_GEARMAN_PACKET_H

/* The packets of the Gearman protocol that a client and a worker need, as bytes. */

#include "base/text.h"

#include <stdint.h>

enum gearman_type {
    GEARMAN_CAN_DO = 1,
    GEARMAN_PRE_SLEEP = 4,
    GEARMAN_NOOP = 6,
    GEARMAN_SUBMIT_JOB = 7,
    GEARMAN_JOB_CREATED = 8,
    GEARMAN_NO_JOB = 10,
    GEARMAN_WORK_STATUS = 12,
    GEARMAN_WORK_COMPLETE = 13,
    GEARMAN_WORK_FAIL = 14,
    GEARMAN_GET_STATUS = 15,
    GEARMAN_ECHO_REQ = 16,
    GEARMAN_ECHO_RES = 17,
    GEARMAN_ERROR = 19,
    GEARMAN_STATUS_RES = 20,
    GEARMAN_WORK_EXCEPTION = 25,
    GEARMAN_WORK_DATA = 28,
    GEARMAN_WORK_WARNING = 29,
    GEARMAN_GRAB_JOB_UNIQ = 30,
    GEARMAN_JOB_ASSIGN_UNIQ = 31,
};

#define GEARMAN_HEAD_BYTES 12
#define GEARMAN_ARGUMENTS_MAX 5
#define GEARMAN_PACKET_MAX ((size_t)300 << 20)

/* A packet. Its arguments are separated by NULs, so only the last can hold any bytes. Lent. */
struct gearman_packet {
    unsigned type;
    unsigned count;
    struct span arguments[GEARMAN_ARGUMENTS_MAX];
};

/* Writes the head of a request whose arguments have `length` bytes, the NULs included. */
void gearman_packet_write_head(char head[GEARMAN_HEAD_BYTES], unsigned type, size_t length);

/* Reads the head of an answer. Returns 0 with what follows it; or -1 if it is none, or claims more
 * than GEARMAN_PACKET_MAX. */
int gearman_packet_read_head(const char head[GEARMAN_HEAD_BYTES], unsigned *type, size_t *length);

/* Splits what follows the head. Returns 0, or -1 if it has fewer arguments than its type. An
 * unknown type has one. */
int gearman_packet_read(struct gearman_packet *packet, unsigned type, struct span body);

#endif
