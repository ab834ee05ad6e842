/* Writing the page. It may run its own script and nothing else: its policy names the hashes of the
 * one script and the one style sheet, and forbids the network. The log stands in it as one JSON
 * string in which no `<`, `>` or `&` is left, so no text of a bot can end that element or begin
 * another; the script gets back every byte of the file. The review is JSON already. */

#include "base/message.h"
#include "base/text.h"
#include "web/viewer.h"

#include <sodium.h>
#include <stdbool.h>
#include <string.h>

struct output {
    FILE *file;
    const struct viewer_content *content;
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
    char base64[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; parts[i] != NULL; i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)parts[i], strlen(parts[i]));
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2base64(base64, sizeof base64, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    fprintf(file, "'sha256-%s'", base64);
}

void viewer_write_policy(FILE *file)
{
    fputs("default-src 'none'; base-uri 'none'; form-action 'none'; script-src ", file);
    write_hash(file, viewer_scripts);
    fputs("; style-src ", file);
    write_hash(file, viewer_styles);
}

static void write_policy(const struct output *output)
{
    viewer_write_policy(output->file);
}

static void write_style(const struct output *output)
{
    write_all(output->file, viewer_styles);
}

static void write_script(const struct output *output)
{
    write_all(output->file, viewer_scripts);
}

static void write_key(FILE *file, const char *name, const struct viewer_match *match)
{
    fprintf(file, " data-%s=\"", name);
    if (match->block > 0)
        fprintf(file, "%u.%u", match->block, match->match);
    fputc('"', file);
}

/* The script makes the links, because it has their texts. */
static void write_links(const struct output *output)
{
    const struct viewer_links *links = output->content->links;

    if (links == NULL)
        return;
    fprintf(output->file, "<nav id=\"links\" data-job=\"%u\"", links->job);
    write_key(output->file, "previous", &links->previous);
    write_key(output->file, "next", &links->next);
    fputs("></nav>\n", output->file);
}

static bool is_markup(unsigned char byte)
{
    return byte == '<' || byte == '>' || byte == '&';
}

static void write_log(const struct output *output)
{
    fputc('"', output->file);
    for (size_t i = 0; i < output->content->log_length; i++) {
        unsigned char byte = (unsigned char)output->content->log[i];

        if (byte == '\n')
            fputs("\\n", output->file);
        else if (byte == '"' || byte == '\\')
            fprintf(output->file, "\\%c", byte);
        else if (byte < ' ' || is_markup(byte))
            fprintf(output->file, "\\u%04x", byte);
        else
            fputc(byte, output->file);
    }
    fputc('"', output->file);
}

/* A page without a review has no element for it. Markup can only be in the strings of the review,
 * where it can be escaped. */
static void write_review(const struct output *output)
{
    const struct viewer_content *content = output->content;

    if (content->review == NULL)
        return;
    fputs("<script type=\"application/json\" id=\"review-data\">", output->file);
    for (size_t i = 0; i < content->review_length; i++) {
        unsigned char byte = (unsigned char)content->review[i];

        if (is_markup(byte))
            fprintf(output->file, "\\u%04x", byte);
        else
            fputc(byte, output->file);
    }
    fputs("</script>\n", output->file);
}

static const struct {
    const char *mark;
    void (*write)(const struct output *output);
} parts[] = {
    {"{{policy}}", write_policy}, {"{{style}}", write_style},   {"{{links}}", write_links},
    {"{{log}}", write_log},       {"{{review}}", write_review}, {"{{script}}", write_script},
};

void viewer_write(FILE *file, const struct viewer_content *content)
{
    struct output output = {.file = file, .content = content};
    const char *rest = viewer_page;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const char *mark = strstr(rest, parts[i].mark);

        if (mark == NULL)
            fatal("the page of the viewer has no %s", parts[i].mark);
        fwrite(rest, 1, (size_t)(mark - rest), file);
        parts[i].write(&output);
        rest = mark + strlen(parts[i].mark);
    }
    fputs(rest, file);
}
