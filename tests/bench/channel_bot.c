/* One end of a channel, in a bot that plays on with the first legal answer:
 *
 *   channel_bot send NAME nonce=N file=PATH folder=PATH bits=0110…
 *   channel_bot receive NAME nonce=N file=PATH folder=PATH
 *   channel_bot, which only plays
 *
 * The receiver writes what it got to stderr. The message goes out at the second question and is
 * read at the third, so that both ends can play in one match. */

#include "support/bench_bot.h"
#include "support/channels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct channels_channel *channel;
static struct channels_place place;
static const char *message;
static unsigned questions;

static void send_message(void)
{
    bool bits[CHANNELS_BITS_MAX];

    for (unsigned i = 0; i < channel->bits; i++)
        bits[i] = message[i] == '1';
    channel->send(&place, bits, channel->bits);
}

static void receive_message(void)
{
    bool bits[CHANNELS_BITS_MAX] = {false};

    channel->receive(&place, bits, channel->bits);
    for (unsigned i = 0; i < channel->bits; i++)
        (void)fputc(bits[i] ? '1' : '0', stderr);
    (void)fputc('\n', stderr);
}

static void before_answer(void)
{
    questions++;
    if (message == NULL && questions == 1 && channel->listen != NULL)
        channel->listen(&place, channel->bits);
    else if (message != NULL && questions == 2)
        send_message();
    else if (message == NULL && questions == 3)
        receive_message();
}

static void read_arguments(char **words)
{
    for (; *words != NULL; words++) {
        const char *value = strchr(*words, '=');

        if (value == NULL)
            continue;
        value++;
        if (strncmp(*words, "nonce=", 6) == 0)
            place.nonce = value;
        else if (strncmp(*words, "file=", 5) == 0)
            place.file = value;
        else if (strncmp(*words, "folder=", 7) == 0)
            place.folder = value;
        else
            message = value;
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return bench_bot_run(NULL);
    channel = argc > 2 ? channels_find(argv[2]) : NULL;
    if (channel == NULL)
        return 2;
    read_arguments(argv + 3);
    return bench_bot_run(before_answer);
}
