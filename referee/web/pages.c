/* The files of the pages in referee/web/pages/: the assembler puts their bytes into
 * the program, as in viewer.c. */

#include "web/pages.h"

/* Puts a file and a NUL under the label `name`, which is then a text. */
#define PAGE_FILE(name, path)                                                                      \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"referee/web/pages/" path                  \
            "\"\n.byte 0\n.popsection\n")

PAGE_FILE(page_overview, "overview.html");
PAGE_FILE(page_job, "job.html");
PAGE_FILE(page_bots, "bots.html");
PAGE_FILE(page_missing, "missing.html");
PAGE_FILE(page_style, "style.css");
PAGE_FILE(page_texts, "texts.js");
PAGE_FILE(page_common, "page.js");
PAGE_FILE(page_overview_script, "overview.js");
PAGE_FILE(page_job_script, "job.js");
PAGE_FILE(page_matches_script, "matches.js");
PAGE_FILE(page_bots_script, "bots.js");
PAGE_FILE(page_missing_script, "missing.js");
PAGE_FILE(page_icon, "icon.svg");

extern const char page_overview[], page_job[], page_bots[], page_missing[], page_style[],
    page_texts[], page_common[], page_overview_script[], page_job_script[], page_matches_script[],
    page_bots_script[], page_missing_script[], page_icon[];

const struct page pages[PAGE_COUNT] = {
    [PAGE_OVERVIEW] = {HTTP_PAGE, page_overview},
    [PAGE_JOB] = {HTTP_PAGE, page_job},
    [PAGE_BOTS] = {HTTP_PAGE, page_bots},
    [PAGE_MISSING] = {HTTP_PAGE, page_missing},
    [PAGE_STYLE] = {HTTP_STYLE, page_style},
    [PAGE_TEXTS] = {HTTP_SCRIPT, page_texts},
    [PAGE_COMMON] = {HTTP_SCRIPT, page_common},
    [PAGE_OVERVIEW_SCRIPT] = {HTTP_SCRIPT, page_overview_script},
    [PAGE_JOB_SCRIPT] = {HTTP_SCRIPT, page_job_script},
    [PAGE_MATCHES_SCRIPT] = {HTTP_SCRIPT, page_matches_script},
    [PAGE_BOTS_SCRIPT] = {HTTP_SCRIPT, page_bots_script},
    [PAGE_MISSING_SCRIPT] = {HTTP_SCRIPT, page_missing_script},
    [PAGE_ICON] = {HTTP_ICON, page_icon},
};
