/* A line is the name of its kind and its fields, separated by spaces. The last field may be a text,
 * which is the rest of the line and may be missing. */

#include "wire/feed_line.h"

#include <limits.h>

enum type { END, NUMBER, WORD, MATCH, REST };

struct field {
    enum type type;
    size_t offset; /* in struct feed_line */
};

#define FIELD(type, member)                                                                        \
    {                                                                                              \
        type, offsetof(struct feed_line, member)                                                   \
    }

static const struct {
    const char *name;
    bool is_daemons; /* of job 0 */
    bool is_public;
    struct field fields[7];
} kinds[FEED_LINE_KIND_COUNT] = {
    [FEED_LINE_BEGIN] = {"begin", .is_public = true,
                         .fields = {FIELD(NUMBER, decided), FIELD(NUMBER, matches)}},
    [FEED_LINE_MATCH] = {"match", .is_public = true,
                         .fields = {FIELD(MATCH, block), FIELD(REST, text)}},
    [FEED_LINE_BLOCK] = {"block", .is_public = true,
                         .fields = {FIELD(NUMBER, block), FIELD(NUMBER, decided),
                                    FIELD(NUMBER, matches)}},
    [FEED_LINE_STANDINGS] = {"standings", .is_public = true},
    [FEED_LINE_NOTE] = {"note", .is_public = true, .fields = {FIELD(REST, text)}},
    [FEED_LINE_BOT] = {"bot", .fields = {FIELD(WORD, name), FIELD(NUMBER, matches),
                                         FIELD(NUMBER, wins), FIELD(NUMBER, median_us),
                                         FIELD(NUMBER, p99_us), FIELD(REST, text)}},
    [FEED_LINE_DISK] = {"disk", .fields = {FIELD(NUMBER, bytes)}},
    [FEED_LINE_IDLE] = {"idle", .fields = {FIELD(NUMBER, worker)}},
    [FEED_LINE_END] = {"end", .fields = {FIELD(WORD, state)}},
    [FEED_LINE_QUEUED] = {"queued", .fields = {FIELD(WORD, user), FIELD(REST, text)}},
    [FEED_LINE_PLAYING] = {.name = "playing"},
    [FEED_LINE_OVER] = {"over", .fields = {FIELD(WORD, state), FIELD(REST, text)}},
    [FEED_LINE_NEW_BOT] = {"bot", .is_daemons = true,
                           .fields = {FIELD(WORD, name), FIELD(NUMBER, version),
                                      FIELD(WORD, user)}},
    [FEED_LINE_TRIAL] = {"trial", .is_daemons = true,
                         .fields = {FIELD(WORD, name), FIELD(NUMBER, version), FIELD(REST, text)}},
    [FEED_LINE_MARKED] = {"marked", .is_daemons = true,
                          .fields = {FIELD(WORD, name), FIELD(WORD, state), FIELD(REST, text)}},
    [FEED_LINE_LADDER] = {"ladder", .is_daemons = true, .fields = {FIELD(WORD, name)}},
    [FEED_LINE_ENDING] = {"ending", .is_daemons = true},
};

bool feed_line_is_public(enum feed_line_kind kind)
{
    return kinds[kind].is_public;
}

static void add_span(struct text *text, struct span span)
{
    if (span.length > 0) {
        text_add_char(text, ' ');
        text_add_bytes(text, span.start, span.length);
    }
}

void feed_line_write(struct text *text, const struct feed_line *line)
{
    text_add(text, kinds[line->kind].name);
    for (const struct field *field = kinds[line->kind].fields; field->type != END; field++) {
        const char *member = (const char *)line + field->offset;

        if (field->type == NUMBER)
            text_printf(text, " %ld", *(const long *)member);
        else if (field->type == MATCH)
            text_printf(text, " %ld.%ld", line->block, line->match);
        else
            add_span(text, *(const struct span *)member);
    }
}

void feed_line_write_event(struct text *text, const struct feed_line *line)
{
    text_printf(text, "%ld ", line->job);
    feed_line_write(text, line);
}

/* What is left of a line, without the spaces before it. */
static struct span rest_of(struct span rest)
{
    while (rest.start != NULL && rest.length > 0 && *rest.start == ' ')
        rest = (struct span){rest.start + 1, rest.length - 1};
    return rest.start != NULL ? rest : (struct span){"", 0};
}

static bool read_number(struct span word, long *number)
{
    return span_read_number(word, 0, LONG_MAX, number) == 0;
}

static bool read_field(struct feed_line *line, const struct field *field, struct span *rest)
{
    char *member = (char *)line + field->offset;
    struct span word, block;

    if (field->type == REST) {
        *(struct span *)member = rest_of(*rest);
        return true;
    }
    word = span_cut_word(rest);
    if (field->type == NUMBER)
        return read_number(word, (long *)member);
    if (field->type == WORD) {
        *(struct span *)member = word;
        return word.length > 0;
    }
    block = span_cut(&word, '.');
    return word.start != NULL && read_number(block, &line->block) &&
           read_number(word, &line->match);
}

static int read_line(struct feed_line *line, struct span rest, bool is_daemons)
{
    struct span name = span_cut_word(&rest);

    for (unsigned i = 0; i < FEED_LINE_KIND_COUNT; i++) {
        if (kinds[i].is_daemons != is_daemons || !span_is(name, kinds[i].name))
            continue;
        line->kind = (enum feed_line_kind)i;
        for (const struct field *field = kinds[i].fields; field->type != END; field++) {
            if (!read_field(line, field, &rest))
                return -1;
        }
        return 0;
    }
    return -1;
}

int feed_line_read(struct feed_line *line, struct span text)
{
    *line = (struct feed_line){.kind = FEED_LINE_BEGIN};
    return read_line(line, text, false);
}

int feed_line_read_event(struct feed_line *line, struct span text)
{
    *line = (struct feed_line){.kind = FEED_LINE_BEGIN};
    return read_number(span_cut_word(&text), &line->job) ? read_line(line, text, line->job == 0)
                                                         : -1;
}

void feed_line_add_seat(struct text *text, const struct feed_line_seat *seat)
{
    text_printf(text, "%s%.*s %ld %.*s %.*s", text->length > 0 ? " " : "", (int)seat->name.length,
                seat->name.start, seat->place, (int)seat->score.length, seat->score.start,
                (int)seat->fault.length, seat->fault.start);
}

bool feed_line_cut_seat(struct span *rest, struct feed_line_seat *seat)
{
    bool has_place;

    seat->name = span_cut_word(rest);
    has_place = read_number(span_cut_word(rest), &seat->place);
    seat->score = span_cut_word(rest);
    seat->fault = span_cut_word(rest);
    return has_place && seat->fault.length > 0;
}

void feed_line_add_fault(struct text *text, const char *code, unsigned count)
{
    text_printf(text, "%s%s=%u", text->length > 0 ? " " : "", code, count);
}

bool feed_line_cut_fault(struct span *rest, struct span *code, long *count)
{
    struct span word = span_cut_word(rest);

    *code = span_cut(&word, '=');
    return code->length > 0 && word.start != NULL && read_number(word, count);
}
