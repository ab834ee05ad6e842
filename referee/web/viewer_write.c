/* Writing the page. It may run its own script and nothing else: its policy names the hashes of the one
 * script and the one style sheet, and forbids the network. The log stands in it as one JSON string in
 * which no `<`, `>` or `&` is left, so no text of a bot can end that element or begin another; the script
 * gets back every byte of the file. */

#include "base/message.h"
#include "base/text.h"
#include "web/viewer.h"

#include <sodium.h>
#include <string.h>

struct page {
    FILE *file;
    const char *log;
    size_t length;
};

static void write_all(FILE *file, const char *const *parts)
{
    for (size_t i = 0; parts[i] != NULL; i++)
        fputs(parts[i], file);
}

/* 'sha256-…', as a policy names what is allowed. */
static void write_hash(FILE *file, const char *const *parts)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char words[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; parts[i] != NULL; i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)parts[i], strlen(parts[i]));
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2base64(words, sizeof words, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    fprintf(file, "'sha256-%s'", words);
}

void viewer_write_policy(FILE *file)
{
    fputs("default-src 'none'; base-uri 'none'; form-action 'none'; script-src ", file);
    write_hash(file, viewer_scripts);
    fputs("; style-src ", file);
    write_hash(file, viewer_styles);
}

static void write_policy(const struct page *page)
{
    viewer_write_policy(page->file);
}

static void write_style(const struct page *page)
{
    write_all(page->file, viewer_styles);
}

static void write_script(const struct page *page)
{
    write_all(page->file, viewer_scripts);
}

static void write_log(const struct page *page)
{
    fputc('"', page->file);
    for (size_t i = 0; i < page->length; i++) {
        unsigned char byte = (unsigned char)page->log[i];

        if (byte == '\n')
            fputs("\\n", page->file);
        else if (byte == '"' || byte == '\\')
            fprintf(page->file, "\\%c", byte);
        else if (byte < ' ' || byte == '<' || byte == '>' || byte == '&')
            fprintf(page->file, "\\u%04x", byte);
        else
            fputc(byte, page->file);
    }
    fputc('"', page->file);
}

static const struct {
    const char *mark;
    void (*write)(const struct page *page);
} parts[] = {
    {"{{policy}}", write_policy},
    {"{{style}}", write_style},
    {"{{log}}", write_log},
    {"{{script}}", write_script},
};

void viewer_write(FILE *file, const char *log, size_t length)
{
    struct page page = {.file = file, .log = log, .length = length};
    const char *rest = viewer_page;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const char *mark = strstr(rest, parts[i].mark);

        if (mark == NULL)
            fatal("the page of the viewer has no %s", parts[i].mark);
        fwrite(rest, 1, (size_t)(mark - rest), file);
        parts[i].write(&page);
        rest = mark + strlen(parts[i].mark);
    }
    fputs(rest, file);
}
