/* The words about the end of a process: what is written is recognised, and nothing else is. */

#include "sandbox/process_end.h"

#include "sandbox/sandbox.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(process_end, every_end_is_recognised)
{
    for (int status = 0; status <= 255; status++) {
        bool is_signal = status > 0 && status <= 64;
        char words[100];
        struct text text;

        text_start(&text, words, sizeof words);
        process_end_write(&text, true, status);
        cr_expect(process_end_is_known(words), "%s", words);
        text_start(&text, words, sizeof words);
        process_end_write(&text, false, status);
        cr_expect_eq(process_end_is_known(words), is_signal, "%s", words);
    }
}

/* Older logs have the names of the GNU C library. */
Test(process_end, signals_have_the_names_of_the_c_library)
{
    for (int number = 1; number <= 64; number++) {
        char words[100];

        snprintf(words, sizeof words, "signal %d (%s)", number, strsignal(number));
        cr_expect(process_end_is_known(words), "%s", words);
    }
}

Test(process_end, other_words_are_not_recognised)
{
    static const char *const words[] = {
        "",
        "exit status",
        "exit status -1",
        "exit status 256",
        "exit status 007",
        "exit status 1 ",
        "signal 0 (Unknown signal 0)",
        "signal 9",
        "signal 9 (killed)",
        "signal 9 (Killed) ",
        "signal 11 (Killed)",
        "signal 65 (Real-time signal 31)",
        "signal 99 (banana)",
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        cr_expect_not(process_end_is_known(words[i]), "%s", words[i]);
}

Test(process_end, a_reason_for_stopping_is_found_at_the_start_of_a_message)
{
    static const long limits[PROCESS_END_STOP_COUNT] = {[PROCESS_END_MEMORY] = 64,
                                                        [PROCESS_END_SCRATCH_BYTES] = 64,
                                                        [PROCESS_END_SCRATCH_ENTRIES] = 10000,
                                                        [PROCESS_END_SCRATCH_DEPTH] = 64};
    static const char *const wrong[] = {
        "it was stopped: it used more than 0 MB of memory",
        "it was stopped: it used more than 1 MB of memory",
        "it was stopped: it used more than 064 MB of memory",
        "it was stopped: it used more than 99999999999999999999 MB of memory",
        "it was stopped: it used more than MB of memory",
        "it was stopped: its scratch folder holds more than 7 files",
        "it was stopped: ",
    };

    for (enum process_end_stop stop = 0; stop < PROCESS_END_STOP_COUNT; stop++) {
        bool is_memory = stop == PROCESS_END_MEMORY;
        char message[150];
        struct text text;
        size_t length;

        text_start(&text, message, sizeof message);
        process_end_write_stop(&text, stop, limits[stop]);
        length = strlen(message);
        text_add(&text, " before it said hello");
        cr_expect_eq(process_end_find_stop(message, "memory scratch"), length, "%s", message);
        cr_expect_eq(process_end_find_stop(message, ""), is_memory ? length : 0, "%s", message);
        cr_expect_eq(process_end_find_stop(message, "scratch"), is_memory ? 0 : length, "%s",
                     message);
    }
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        cr_expect_eq(process_end_find_stop(wrong[i], "memory scratch"), 0, "%s", wrong[i]);
}

Test(process_end, the_parts_of_a_level_are_listed_in_their_order)
{
    static const struct {
        enum sandbox_level level;
        const char *enforced;
        bool is_fine;
    } rows[] = {
        {SANDBOX_NONE, "", true},
        {SANDBOX_NONE, "limits", false},
        {SANDBOX_GUARDED, "", false},
        {SANDBOX_GUARDED, "limits", false},
        {SANDBOX_GUARDED, "limits scratch", true},
        {SANDBOX_GUARDED, "limits memory scratch groups", true},
        {SANDBOX_GUARDED, "scratch limits", false},
        {SANDBOX_GUARDED, "scratch scratch", false},
        {SANDBOX_GUARDED, "scratch ", false},
        {SANDBOX_GUARDED, " scratch", false},
        {SANDBOX_GUARDED, "limits  scratch", false},
        {SANDBOX_GUARDED, "scratch namespaces", false},
        {SANDBOX_SEALED, "limits memory scratch sweep hidden filter namespaces", true},
        {SANDBOX_SEALED, "limits memory scratch sweep hidden filter user namespaces groups", true},
        {SANDBOX_SEALED, "limits memory scratch sweep hidden filter", false},
        {SANDBOX_SEALED, "limits scratch namespaces", false},
        {SANDBOX_SEALED, "scratch files", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        cr_expect_eq(sandbox_is_enforced_of(rows[i].level, rows[i].enforced), rows[i].is_fine,
                     "%s: %s", sandbox_level_name(rows[i].level), rows[i].enforced);
}
