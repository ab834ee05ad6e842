/* Packets as the protocol of Gearman has them. */

#include "wire/gearman_packet.h"

#include <criterion/criterion.h>
#include <string.h>

Test(gearman_packet, a_head_has_its_type_and_length_in_big_endian)
{
    char head[GEARMAN_HEAD_BYTES];

    gearman_packet_write_head(head, GEARMAN_SUBMIT_JOB, 0x010203);
    cr_assert_eq(memcmp(head, "\0REQ\0\0\0\7\0\1\2\3", sizeof head), 0);
}

Test(gearman_packet, only_an_answer_of_bearable_length_is_read)
{
    unsigned type;
    size_t length;

    cr_assert_eq(gearman_packet_read_head("\0RES\0\0\0\15\0\0\0\5", &type, &length), 0);
    cr_assert_eq(type, (unsigned)GEARMAN_WORK_COMPLETE);
    cr_assert_eq(length, 5U);
    cr_assert_eq(gearman_packet_read_head("\0REQ\0\0\0\15\0\0\0\5", &type, &length), -1);
    cr_assert_eq(gearman_packet_read_head("HTTP/1.1 400", &type, &length), -1);
    cr_assert_eq(gearman_packet_read_head("\0RES\0\0\0\15\377\0\0\5", &type, &length), -1);
}

Test(gearman_packet, the_last_argument_may_hold_any_bytes)
{
    static const char body[] = "H:1\0f\0u\0da\0ta";
    struct gearman_packet packet;

    cr_assert_eq(
        gearman_packet_read(&packet, GEARMAN_JOB_ASSIGN_UNIQ, (struct span){body, sizeof body - 1}),
        0);
    cr_assert_eq(packet.count, 4U);
    cr_assert(span_is(packet.arguments[0], "H:1"));
    cr_assert(span_is(packet.arguments[2], "u"));
    cr_assert_eq(packet.arguments[3].length, 5U);
}

Test(gearman_packet, missing_arguments_are_refused)
{
    struct gearman_packet packet;

    cr_assert_eq(gearman_packet_read(&packet, GEARMAN_JOB_ASSIGN_UNIQ, span_of("H:1")), -1);
    cr_assert_eq(gearman_packet_read(&packet, GEARMAN_WORK_DATA, (struct span){"", 0}), -1);
    cr_assert_eq(gearman_packet_read(&packet, GEARMAN_NO_JOB, (struct span){"", 0}), 0);
}
