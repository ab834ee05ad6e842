/* `referee review` says what lost a match: bad decisions or bad luck. The log is walked once, then
 * the decisions are judged round by round, and the result is printed as text, JSON or a page. */

#include "cli/review/cmd_review.h"

#include "base/clock.h"
#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/replay/cmd_replay.h"
#include "game/position.h"
#include "web/viewer.h"

#include <stdint.h>
#include <unistd.h>

#define BUDGET_S 3
#define BUDGET_MAX_S 86400
#define SAMPLES_MAX 1000000

#define NUMBER(member, least, most) OPTION_NUMBER(struct cmd_review_settings, member, least, most)
#define FLAG(member) OPTION_FLAG(struct cmd_review_settings, member)

static const struct option_row rows[] = {
    {"--seat", "S", "judge only the decisions of seat S", NUMBER(seat, 0, ALLEGRA_SEATS_MAX - 1)},
    {"--budget-s", "N", "time to confirm what looks bad, for each seat and round (3)",
     OPTION_DECIMAL(struct cmd_review_settings, budget_s)},
    {"--samples", "N", "whole deals per suspicious decision instead: same log, same review",
     NUMBER(samples, 1, SAMPLES_MAX)},
    {"--seed", "N", "judge on other deals (0)", NUMBER(seed, 0, INT32_MAX)},
    {"--json", NULL, "print one JSON document: all decisions, chances, luck, positions",
     FLAG(is_json), .prints = true},
    {"--html", NULL, "print the page of `replay --html` with the review in it", FLAG(is_html),
     .prints = true},
    {.name = NULL},
};

static const struct options options = {
    .command = "review",
    .usage = "[OPTION...] LOG",
    .purpose =
        "Says what lost a match: decisions or luck.\n"
        "Each decision is compared with the best answer that its seat could have given, judged\n"
        "from what it knew: hidden cards are dealt again many times, and a quick policy plays on\n"
        "for all seats. First all answers are tried on deals that are cut after eight turns; what\n"
        "looks bad is then confirmed on deals that are played to the end of the round. A cost is\n"
        "given with its standard error, and a decision is only listed if it surely cost\n"
        "something. Luck is the worth of the cards that appeared, against those that could have.\n"
        "Without --seat all seats are judged, and the worst decisions of the match are listed.\n"
        "In JSON `wins` is a share of the win, from 0 to 1, and `points_error` a standard error.\n",
    .examples = "  referee review game.ndjson\n"
                "  referee review --seat 0 --budget-s 10 game.ndjson\n"
                "  referee review --json --samples 500 game.ndjson > review.json\n"
                "  referee review --html game.ndjson > review.html\n",
    .rows = rows,
    .takes = "a LOG",
    .least = 1,
    .most = 1,
};

/* Measured with `review --samples 64` in 15 matches each of four of the same bots, one round, three
 * per edition: they hardly differ from edition to edition. `strong` had `--samples 100`. A chance
 * that a bot misses again and again counts each time. */
const struct cmd_review_typical cmd_review_typical[CMD_REVIEW_TYPICAL] = {
    {"strong", 20},
    {"greedy", 38},
    {"random", 196},
};

bool cmd_review_is_judged(const struct cmd_review *command, unsigned seat)
{
    int wanted = command->settings->seat;

    return (wanted == CMD_REVIEW_NO_SEAT || (unsigned)wanted == seat) &&
           cmd_review_count(command->review, seat, REVIEW_CHOICE) > 0;
}

unsigned cmd_review_count(const struct review *review, unsigned seat, enum review_kind kind)
{
    unsigned count = 0;

    for (size_t i = 0; i < review->answer_count; i++)
        count += review->answers[i].seat == seat && review->answers[i].kind == kind;
    return count;
}

const char *cmd_review_name(const struct cmd_review *command, unsigned seat)
{
    return match_setup_of(replay_match(command->replay))->names[seat];
}

unsigned cmd_review_place(const struct cmd_review *command, unsigned seat)
{
    return command->review->is_over ? match_places(replay_match(command->replay))[seat] : 0;
}

void cmd_review_write_position(struct text *text, const struct review_answer *answer)
{
    position_write(text, &answer->table);
}

/* Says how far it is, on a terminal only. */
static void show_progress(unsigned done, unsigned all)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (done < all)
        fprintf(stderr, "\rreviewing %u of %u", done + 1, all);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static void judge(const struct cmd_review_settings *settings, struct review *review)
{
    unsigned seats = settings->seat == CMD_REVIEW_NO_SEAT ? review->seats : 1;
    unsigned all = seats * review->rounds;

    for (unsigned i = 0; i < all; i++) {
        struct review_setup setup = {
            .seed = settings->seed,
            .samples = settings->samples,
            .deadline_us = clock_now_us() + (int64_t)(settings->budget_s * 1e6),
        };

        show_progress(i, all);
        review_judge(review, seats == 1 ? (unsigned)settings->seat : i % seats, 1 + i / seats,
                     &setup);
    }
    show_progress(all, all);
}

static void print_json(const struct cmd_review *command)
{
    struct json_writer *json = json_writer_new(true);
    const char *bytes;
    size_t length;

    cmd_review_write_json(json, command);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
    json_writer_free(json);
}

static int print_page(const struct cmd_review *command)
{
    struct json_writer *json;
    struct viewer_content content = {.log = NULL};

    content.log = replay_bytes(command->replay, &content.log_length);
    if (content.log_length > VIEWER_LOG_MAX_BYTES) {
        message_say("%s: too large for a page (64 MiB)", command->path);
        return CLI_FAILED;
    }
    json = json_writer_new(false);
    cmd_review_write_page_data(json, command);
    content.review = json_writer_bytes(json, &content.review_length);
    viewer_write(stdout, &content);
    json_writer_free(json);
    return CLI_FINE;
}

static int review_log(const struct cmd_review_settings *settings, const char *path,
                      struct replay *replay)
{
    char message[1300];
    struct text problem;
    struct cmd_review command = {.settings = settings, .path = path, .replay = replay};
    struct review *review;
    int code = CLI_FINE;

    if (settings->seat != CMD_REVIEW_NO_SEAT &&
        !cmd_replay_has_seat(replay, "--seat", settings->seat))
        return CLI_USAGE;
    text_start(&problem, message, sizeof message);
    review = review_walk(replay, &problem);
    if (review == NULL) {
        message_say("%s: %s", path, message);
        return CLI_FAILED;
    }
    judge(settings, review);
    command.review = review;
    if (settings->is_html)
        code = print_page(&command);
    else if (settings->is_json)
        print_json(&command);
    else
        cmd_review_print(stdout, &command);
    cmd_replay_say_cut(replay, path);
    review_free(review);
    return code;
}

static int check(const struct cmd_review_settings *settings)
{
    if (!(settings->budget_s >= 0 && settings->budget_s <= BUDGET_MAX_S)) {
        message_say("--budget-s takes 0 to %d seconds", BUDGET_MAX_S);
        return -1;
    }
    if (settings->is_json && settings->is_html) {
        message_say("--json and --html exclude each other: print one, then the other");
        return -1;
    }
    return 0;
}

int cli_review(int argc, char **argv)
{
    struct cmd_review_settings settings = {.seat = CMD_REVIEW_NO_SEAT, .budget_s = BUDGET_S};
    int code;
    int count = options_read(&options, argc, argv, &settings, &code);
    struct replay *replay;

    if (count < 0)
        return code;
    if (check(&settings) != 0)
        return CLI_USAGE;
    if (deal_random_init() != 0)
        return CLI_FAILED;
    replay = cmd_replay_load(argv[1], NULL, NULL);
    if (replay == NULL)
        return CLI_FAILED;
    code = review_log(&settings, argv[1], replay);
    replay_free(replay);
    return code;
}
