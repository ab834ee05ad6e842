/* The building blocks of the page. A page in all languages shows one of them without a script. Most
 * of it is written once per language, as sections with a `lang` of their own; charts and the cross
 * table, which are large, are written once, with each text in all languages. The address decides
 * which language is shown: IDs end in the language (`#ratings-de`), except those of English, and
 * the style sheet shows the language of the element that the address names. So links inside the
 * page keep the language, and a fragment is enough to open the page in another one. */

#include "tournament/report/report_private.h"

#include "tournament/report/escape_print.h"

#include <stdlib.h>
#include <string.h>

/* The end of an ID in that language. */
static void put_suffix(const struct report_page *page, enum report_language language)
{
    if (page->has_all && language != REPORT_ENGLISH && language != REPORT_LANGUAGE_ALL)
        escape_print_html(page->file, "-%s", report_language_code(language));
}

static void put_filled(const struct report_page *page, enum report_language language,
                       enum report_text text, const char *const *values)
{
    char *filled = report_texts_fill(language, text, values);

    escape_print_html(page->file, "%s", filled);
    free(filled);
}

void report_page_put_text(const struct report_page *page, enum report_text text,
                          const char *const *values)
{
    if (page->language != REPORT_LANGUAGE_ALL) {
        put_filled(page, page->language, text, values);
        return;
    }
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT; i++) {
        escape_print_html(page->file, "<span lang=\"%s\">",
                          report_language_code((enum report_language)i));
        put_filled(page, (enum report_language)i, text, values);
        fputs("</span>", page->file);
    }
}

/* All languages but English have a decimal comma, so two forms are enough. `element` is what text
 * is put into: in drawings another one than in HTML. */
static void put_forms(const struct report_page *page, const char *element,
                      struct report_number with_point, struct report_number with_comma)
{
    if (strcmp(with_point.text, with_comma.text) == 0) {
        escape_print_html(page->file, "%s", with_point.text);
        return;
    }
    escape_print_html(page->file, "<%s lang=\"en\">%s</%s>", element, with_point.text, element);
    escape_print_html(page->file, "<%s class=\"comma\">%s</%s>", element, with_comma.text, element);
}

static void put_decimal(const struct report_page *page, const char *element, double value,
                        unsigned digits)
{
    if (page->language != REPORT_LANGUAGE_ALL)
        escape_print_html(page->file, "%s",
                          report_language_decimal(page->language, value, digits).text);
    else
        put_forms(page, element, report_language_decimal(REPORT_ENGLISH, value, digits),
                  report_language_decimal(REPORT_GERMAN, value, digits));
}

void report_page_put_decimal(const struct report_page *page, double value, unsigned digits)
{
    put_decimal(page, "span", value, digits);
}

void report_page_draw_decimal(const struct report_page *page, double value, unsigned digits)
{
    put_decimal(page, "tspan", value, digits);
}

void report_page_put_ranks(const struct report_page *page, const struct standing *row)
{
    bool has_all = page->language == REPORT_LANGUAGE_ALL;

    fputs("<span class=\"ranks\">", page->file);
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT && has_all; i++)
        escape_print_html(page->file, "<span lang=\"%s\">%s</span>",
                          report_language_code((enum report_language)i),
                          report_language_ranks((enum report_language)i, row->ranks).text);
    if (!has_all)
        escape_print_html(page->file, "%s", report_language_ranks(page->language, row->ranks).text);
    fputs("</span>", page->file);
}

void report_page_put_time(const struct report_page *page, int64_t value_us)
{
    if (page->language != REPORT_LANGUAGE_ALL)
        escape_print_html(page->file, "%s", report_language_time(page->language, value_us).text);
    else
        put_forms(page, "span", report_language_time(REPORT_ENGLISH, value_us),
                  report_language_time(REPORT_GERMAN, value_us));
}

void report_page_put_reference(const struct report_page *page, const char *attribute,
                               const char *name)
{
    escape_print_html(page->file, " %s=\"%s", attribute, name);
    put_suffix(page, page->language);
    fputs("\"", page->file);
}

void report_page_put_link(const struct report_page *page, const char *name)
{
    escape_print_html(page->file, " href=\"#%s", name);
    put_suffix(page, page->language);
    fputs("\"", page->file);
}

/* A title in all languages; each can be linked to. */
static void put_titles(const struct report_page *page, const char *name, enum report_text title)
{
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT; i++) {
        enum report_language language = (enum report_language)i;

        escape_print_html(page->file, "<span lang=\"%s\" id=\"%s", report_language_code(language),
                          name);
        put_suffix(page, language);
        escape_print_html(page->file, "\">%s</span>", report_texts_find(language, title));
    }
}

void report_page_open_section(const struct report_page *page, const char *name,
                              enum report_text title)
{
    fputs("<section", page->file);
    if (page->language != REPORT_LANGUAGE_ALL) {
        escape_print_html(page->file, " lang=\"%s\"", report_language_code(page->language));
        report_page_put_reference(page, "id", name);
    }
    escape_print_html(page->file, ">\n<h2 id=\"title-%s", name);
    put_suffix(page, page->language);
    fputs("\">", page->file);
    if (page->language == REPORT_LANGUAGE_ALL)
        put_titles(page, name, title);
    else
        report_page_put_text(page, title, NULL);
    fputs("</h2>\n", page->file);
}

void report_page_close_section(const struct report_page *page)
{
    fputs("</section>\n", page->file);
}

void report_page_put_paragraph(const struct report_page *page, enum report_text text)
{
    fputs("<p>", page->file);
    report_page_put_text(page, text, NULL);
    fputs("</p>\n", page->file);
}

void report_page_put_heading(const struct report_page *page, enum report_text text,
                             const char *kind)
{
    fputs("<th scope=\"col\"", page->file);
    if (kind != NULL)
        escape_print_html(page->file, " class=\"%s\"", kind);
    fputs(">", page->file);
    report_page_put_text(page, text, NULL);
    fputs("</th>", page->file);
}

void report_page_open_scroll(const struct report_page *page, const char *name)
{
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\"", page->file);
    report_page_put_reference(page, "aria-labelledby", name);
    fputs(">\n", page->file);
}

void report_page_close_scroll(const struct report_page *page)
{
    fputs("</div>\n", page->file);
}
