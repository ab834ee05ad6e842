/* One table. A language is there if its program is: nothing is run to find out, because the daemon
 * asks. */

#include "bot/language.h"

#include "sandbox/landlock.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const struct language languages[] = {
    {"c", "cc", "bot.c", "cc -O2 -o bot bot.c", "./bot"},
    {"cpp", "g++", "bot.cpp", "g++ -O2 -o bot bot.cpp", "./bot"},
    {"python", "python3", "bot.py", NULL, "python3 bot.py"},
    {"javascript", "node", "bot.mjs", NULL, "node bot.mjs"},
    {"java", "javac", "Bot.java", "javac Bot.java", "java -cp . Bot"},
    {"rust", "rustc", "bot.rs", "rustc -O -o bot bot.rs", "./bot"},
    {"go", "go", "bot.go", "env GO111MODULE=off GOCACHE=$HOME/cache go build -o bot bot.go",
     "./bot"},
    {"perl", "perl", "bot.pl", NULL, "perl bot.pl"},
    {"ruby", "ruby", "bot.rb", NULL, "ruby bot.rb"},
    {"lua", "lua", "bot.lua", NULL, "lua bot.lua"},
    {"bash", "bash", "bot.sh", NULL, "bash bot.sh"},
    {"awk", "awk", "bot.awk", NULL, "awk -f bot.awk"},
    {"tcl", "tclsh", "bot.tcl", NULL, "tclsh bot.tcl"},
    {"ocaml", "ocamlopt", "bot.ml", "ocamlopt -o bot bot.ml", "./bot"},
    {"haskell", "ghc", "Bot.hs", "ghc -O -o bot Bot.hs", "./bot"},
};

size_t language_count(void)
{
    return ARRAY_LEN(languages);
}

const struct language *language_at(size_t index)
{
    return &languages[index];
}

static bool is_program(struct span folder, struct span name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s/%.*s", (int)folder.length, folder.start,
                          (int)name.length, name.start);

    return length < (int)sizeof path && access(path, X_OK) == 0;
}

static bool has_program(struct span name)
{
    struct span rest = span_of(LANDLOCK_PATH);

    while (rest.start != NULL) {
        if (is_program(span_cut(&rest, ':'), name))
            return true;
    }
    return false;
}

bool language_has_program(const char *program)
{
    return has_program(span_of(program));
}

bool language_is_missing(const char *command)
{
    struct span rest = span_of(command);
    struct span name = span_cut_word(&rest);

    return name.length > 0 && memchr(name.start, '/', name.length) == NULL && !has_program(name);
}

void language_add_installed(struct text *text)
{
    bool is_first = true;

    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        if (!language_has_program(languages[i].program))
            continue;
        text_printf(text, "%s%s (%s)", is_first ? "" : ", ", languages[i].name,
                    languages[i].program);
        is_first = false;
    }
    if (is_first)
        text_add(text, "none");
}
