/* What a worker takes of the settings of a tournament on another machine. */

#include "tournament/distribute/visit.h"

#include "base/deal_random.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(visit, .init = begin_all, .fini = scratch_end);

/* Settings with that level, on a machine that runs bots at GUARDED only. Returns whether it plays
 * them; else there is a sentence. */
static bool is_played(const char *level, struct text *problem)
{
    static const bool levels[SANDBOX_AUTO] = {[SANDBOX_GUARDED] = true};
    struct bot_cache *cache = bot_cache_open(scratch_path("cache"), 1 << 20, problem);
    struct visit_place place = {
        .cache = cache, .folder = scratch_path(""), .machine = "here", .levels = levels};
    char settings[800];
    struct visit *visit;

    snprintf(settings, sizeof settings,
             "{\"v\":1,\"store\":\"0123\",\"edition\":\"de2026\",\"rules\":\"\",\"variant\":\"\","
             "\"clock\":\"fair\",\"ponder\":false,\"reuse\":true,\"guessable\":false,"
             "\"start_ms\":1000,\"move_ms\":1000,\"bank_ms\":0,\"tables\":0,\"speed\":0,"
             "\"contain\":\"%s\",\"bots\":[]}",
             level);
    visit = visit_new((struct span){settings, strlen(settings)}, &place, problem);
    visit_free(visit);
    bot_cache_free(cache);
    return visit != NULL;
}

Test(visit, bots_run_only_at_a_level_that_the_worker_allows)
{
    static const struct {
        const char *level;
        bool is_played;
    } cases[] = {{"none", false}, {"guarded", true}, {"sealed", false}, {"auto", false}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[400];
        struct text problem;

        text_start(&problem, message, sizeof message);
        cr_expect_eq(is_played(cases[i].level, &problem), cases[i].is_played, "%s: %s",
                     cases[i].level, message);
        cr_expect(cases[i].is_played || strstr(message, "sandbox level") != NULL, "%s: %s",
                  cases[i].level, message);
    }
}
