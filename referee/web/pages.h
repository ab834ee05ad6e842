#ifndef REFEREE_WEB_PAGES_H
#define REFEREE_WEB_PAGES_H

/* The files of the pages, which are part of the program, and the kinds of files that are sent to a
 * browser. */

enum http_kind {
    HTTP_PAGE,
    HTTP_STYLE,
    HTTP_SCRIPT,
    HTTP_ICON,
    HTTP_JSON,
    HTTP_CSV,
    HTTP_TEXT,
    HTTP_LOG,
    HTTP_REPORT,
    HTTP_VIEWER,
    HTTP_EVENTS,
    HTTP_KIND_COUNT,
};

/* A file that is in the program, or several that are sent as one: a list that ends with NULL. */
struct page {
    enum http_kind kind;
    const char *bytes;
    const char *const *parts;
};

enum page_name {
    PAGE_OVERVIEW,
    PAGE_JOB,
    PAGE_BOTS,
    PAGE_LADDER,
    PAGE_MISSING,
    PAGE_SIGN_IN,
    PAGE_BOT,
    PAGE_USER,
    PAGE_SUBMIT,
    PAGE_LANGUAGES,
    PAGE_STYLE,
    PAGE_TEXTS,
    PAGE_COMMON,
    PAGE_LISTS,
    PAGE_OVERVIEW_SCRIPT,
    PAGE_JOB_SCRIPT,
    PAGE_MATCHES_SCRIPT,
    PAGE_BOTS_SCRIPT,
    PAGE_LADDER_SCRIPT,
    PAGE_MISSING_SCRIPT,
    PAGE_SIGN_IN_SCRIPT,
    PAGE_BOT_SCRIPT,
    PAGE_USER_SCRIPT,
    PAGE_SUBMIT_SCRIPT,
    PAGE_LANGUAGES_SCRIPT,
    PAGE_ICON,
    PAGE_PLAY,
    PAGE_TABLE_STYLE,
    PAGE_TABLE_SCRIPT,
    PAGE_COUNT,
};

extern const struct page pages[PAGE_COUNT];

#endif
