/* Verifies logs and whole stores. Problems go to the standard error, one line each, and what was
 * verified to the standard output; with --json everything is in one document per path. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "tournament/report/store_proof.h"
#include "wire/json_write.h"

#include <string.h>
#include <sys/stat.h>

/* What is being verified. */
struct verifying {
    const char *path;
    struct json_writer *json; /* NULL: as text */
    unsigned long problems;
};

static void begin(struct verifying *verifying, const char *kind)
{
    if (verifying->json == NULL)
        return;
    json_writer_clear(verifying->json);
    json_open_map(verifying->json);
    json_put_text(verifying->json, kind, verifying->path);
    json_key(verifying->json, "problems");
    json_open_list(verifying->json);
}

static void on_problem(void *context, const char *path, const char *why)
{
    struct verifying *verifying = context;

    verifying->problems++;
    if (verifying->json == NULL) {
        message_say("%s: %s", path, why);
        return;
    }
    json_open_map(verifying->json);
    json_put_text(verifying->json, "path", path);
    json_put_text(verifying->json, "why", why);
    json_close_map(verifying->json);
}

static void end(struct verifying *verifying)
{
    const char *bytes;
    size_t length;

    if (verifying->json == NULL)
        return;
    json_close_map(verifying->json);
    bytes = json_writer_bytes(verifying->json, &length);
    fwrite(bytes, 1, length, stdout);
    putchar('\n');
}

static void verify_log(struct verifying *verifying)
{
    char message[1300];
    struct text problem;
    struct replay *replay;
    const struct match *match;

    begin(verifying, "log");
    text_start(&problem, message, sizeof message);
    replay = replay_load(verifying->path, NULL, NULL, &problem);
    if (replay == NULL || replay_verify(replay, &problem) != 0)
        on_problem(verifying, verifying->path, message);
    match = replay != NULL ? replay_match(replay) : NULL;
    if (verifying->json != NULL) {
        json_close_list(verifying->json);
        json_put_number(verifying->json, "decisions",
                        match != NULL ? (long long)match_decisions(match) : 0);
    } else if (verifying->problems == 0) {
        printf("%s: verified; decisions: %lu, rounds: %u, lines: %lu\n", verifying->path,
               match_decisions(match), match_table(match)->round, replay_lines(replay));
    }
    end(verifying);
    replay_free(replay);
}

static const char *const master_texts[] = {
    [STORE_PROOF_MASTER_UNTRIED] = "",
    [STORE_PROOF_MASTER_MISSING] = ", without the file `master`, which is missing",
    [STORE_PROOF_MASTER_UNREADABLE] = ", without the file `master`, which cannot be read",
    [STORE_PROOF_MASTER_COMPARED] = "",
};

static void print_proof(const struct verifying *verifying, const struct store_proof *proof)
{
    printf("%s: %s: %lu matches", verifying->path, proof->problems == 0 ? "verified" : "wrong",
           proof->matches);
    if (proof->has_schedule)
        printf(", %s", proof->is_finished ? "finished" : "not finished");
    if (proof->waiting > 0)
        printf(", %lu logs are not public yet", proof->waiting);
    if (proof->pruned > 0)
        printf(", %lu logs were pruned (block%s %s)", proof->pruned,
               strpbrk(proof->pruned_blocks, " ,") != NULL ? "s" : "", proof->pruned_blocks);
    if (proof->other_luck > 0)
        printf(", the luck of %lu was not compared: another version measured it",
               proof->other_luck);
    if (proof->attempts > 0)
        printf(", not verified: %lu log%s", proof->attempts,
               proof->attempts > 1 ? "s of void matches" : " of a void match");
    if (proof->dropped_bytes > 0)
        printf(", the last %zu bytes of the journal do not count: they were not written completely",
               proof->dropped_bytes);
    if (proof->others > 0)
        printf(", not part of it: %s", proof->other_names);
    if (proof->is_comparison)
        printf(", a comparison, without a schedule");
    printf("%s\n", master_texts[proof->master]);
    if (proof->problems == 0)
        printf("publish this line elsewhere, so that nobody can change a result unnoticed: "
               "%lu records, sum %s\n",
               proof->records, proof->sum);
}

static void verify_store(struct verifying *verifying)
{
    struct store_proof proof;

    begin(verifying, "store");
    proof = store_proof_check(verifying->path, on_problem, verifying);
    if (verifying->json != NULL) {
        json_close_list(verifying->json);
        json_put_number(verifying->json, "matches", (long long)proof.matches);
        json_put_number(verifying->json, "waiting", (long long)proof.waiting);
        json_put_number(verifying->json, "pruned", (long long)proof.pruned);
        json_put_number(verifying->json, "attempts", (long long)proof.attempts);
        json_put_number(verifying->json, "dropped_bytes", (long long)proof.dropped_bytes);
        json_put_number(verifying->json, "others", (long long)proof.others);
        json_put_number(verifying->json, "other_luck", (long long)proof.other_luck);
        json_put_flag(verifying->json, "finished", proof.is_finished);
        json_put_flag(verifying->json, "master", proof.master == STORE_PROOF_MASTER_COMPARED);
        json_put_number(verifying->json, "records", (long long)proof.records);
        json_put_text(verifying->json, "sum", proof.sum);
    } else {
        fflush(stderr);
        print_proof(verifying, &proof);
    }
    end(verifying);
}

int cmd_replay_verify(const struct cmd_replay_settings *settings, char **paths, unsigned count)
{
    struct verifying verifying = {.json = settings->is_json ? json_writer_new(false) : NULL};
    unsigned failed = 0;

    for (unsigned i = 0; i < count; i++) {
        struct stat status;
        bool is_folder = stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode);

        verifying.path = paths[i];
        verifying.problems = 0;
        if (is_folder)
            verify_store(&verifying);
        else
            verify_log(&verifying);
        failed += verifying.problems > 0;
    }
    if (count > 1 && !settings->is_json)
        printf("%u logs verified, %u wrong\n", count - failed, failed);
    json_writer_free(verifying.json);
    return failed == 0 ? CLI_FINE : CLI_FAILED;
}
