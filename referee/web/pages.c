/* The files of the pages in referee/web/pages/: the assembler puts their bytes into
 * the program, as in viewer.c. */

#include "web/pages.h"
#include "web/viewer.h"

/* Puts a file and a NUL under the label `name`, which is then a text. */
#define PAGE_FILE(name, path)                                                                      \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"referee/web/pages/" path                  \
            "\"\n.byte 0\n.popsection\n")

PAGE_FILE(pages_overview, "overview.html");
PAGE_FILE(pages_job, "job.html");
PAGE_FILE(pages_bots, "bots.html");
PAGE_FILE(pages_ladder, "ladder.html");
PAGE_FILE(pages_missing, "missing.html");
PAGE_FILE(pages_sign_in, "sign-in.html");
PAGE_FILE(pages_bot, "bot.html");
PAGE_FILE(pages_user, "user.html");
PAGE_FILE(pages_submit, "submit.html");
PAGE_FILE(pages_languages, "languages.html");
PAGE_FILE(pages_style, "style.css");
PAGE_FILE(pages_texts, "texts.js");
PAGE_FILE(pages_common, "page.js");
PAGE_FILE(pages_lists, "lists.js");
PAGE_FILE(pages_overview_script, "overview.js");
PAGE_FILE(pages_job_script, "job.js");
PAGE_FILE(pages_matches_script, "matches.js");
PAGE_FILE(pages_bots_script, "bots.js");
PAGE_FILE(pages_ladder_script, "ladder.js");
PAGE_FILE(pages_missing_script, "missing.js");
PAGE_FILE(pages_sign_in_script, "sign-in.js");
PAGE_FILE(pages_bot_script, "bot.js");
PAGE_FILE(pages_user_script, "user.js");
PAGE_FILE(pages_submit_script, "submit.js");
PAGE_FILE(pages_languages_script, "languages.js");
PAGE_FILE(pages_icon, "icon.svg");

extern const char pages_overview[], pages_job[], pages_bots[], pages_missing[], pages_sign_in[],
    pages_style[], pages_texts[], pages_common[], pages_overview_script[], pages_job_script[],
    pages_matches_script[], pages_bots_script[], pages_missing_script[], pages_sign_in_script[],
    pages_bot[], pages_user[], pages_submit[], pages_bot_script[], pages_user_script[],
    pages_submit_script[], pages_lists[], pages_icon[], pages_ladder[], pages_ladder_script[],
    pages_languages[], pages_languages_script[];

const struct page pages[PAGE_COUNT] = {
    [PAGE_OVERVIEW] = {HTTP_PAGE, .bytes = pages_overview},
    [PAGE_JOB] = {HTTP_PAGE, .bytes = pages_job},
    [PAGE_BOTS] = {HTTP_PAGE, .bytes = pages_bots},
    [PAGE_LADDER] = {HTTP_PAGE, .bytes = pages_ladder},
    [PAGE_MISSING] = {HTTP_PAGE, .bytes = pages_missing},
    [PAGE_SIGN_IN] = {HTTP_PAGE, .bytes = pages_sign_in},
    [PAGE_BOT] = {HTTP_PAGE, .bytes = pages_bot},
    [PAGE_USER] = {HTTP_PAGE, .bytes = pages_user},
    [PAGE_SUBMIT] = {HTTP_PAGE, .bytes = pages_submit},
    [PAGE_LANGUAGES] = {HTTP_PAGE, .bytes = pages_languages},
    [PAGE_STYLE] = {HTTP_STYLE, .bytes = pages_style},
    [PAGE_TEXTS] = {HTTP_SCRIPT, .bytes = pages_texts},
    [PAGE_COMMON] = {HTTP_SCRIPT, .bytes = pages_common},
    [PAGE_LISTS] = {HTTP_SCRIPT, .bytes = pages_lists},
    [PAGE_OVERVIEW_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_overview_script},
    [PAGE_JOB_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_job_script},
    [PAGE_MATCHES_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_matches_script},
    [PAGE_BOTS_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_bots_script},
    [PAGE_LADDER_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_ladder_script},
    [PAGE_MISSING_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_missing_script},
    [PAGE_SIGN_IN_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_sign_in_script},
    [PAGE_BOT_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_bot_script},
    [PAGE_USER_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_user_script},
    [PAGE_SUBMIT_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_submit_script},
    [PAGE_LANGUAGES_SCRIPT] = {HTTP_SCRIPT, .bytes = pages_languages_script},
    [PAGE_ICON] = {HTTP_ICON, .bytes = pages_icon},
    [PAGE_PLAY] = {HTTP_PAGE, .bytes = viewer_play},
    [PAGE_TABLE_STYLE] = {HTTP_STYLE, .parts = viewer_play_styles},
    [PAGE_TABLE_SCRIPT] = {HTTP_SCRIPT, .parts = viewer_play_scripts},
};
