/* The standings of a job are read from the table that its process wrote, which has a row per bot in
 * the order of their places. Rows of one user become one; then places are counted again among
 * users. */

#include "serve/queue/grades.h"

#include "base/file_read.h"
#include "base/memory.h"
#include "serve/queue/queue_private.h"
#include "wire/json_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWNER "owner"
#define TABLE_BYTES_MAX ((size_t)64 << 20)
#define CELL_MAX 40

const char *const grades_format_names[GRADES_FORMAT_COUNT] = {
    [GRADES_TEXT] = "text", [GRADES_CSV] = "csv", [GRADES_JSON] = "json"};

/* Columns of the standings that are used. */
enum column { PLACE, NAME, MATCHES, SCORE, WIN_SHARE, FAULTS, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {
    [PLACE] = "place", [NAME] = "name",           [MATCHES] = "matches",
    [SCORE] = "score", [WIN_SHARE] = "win_share", [FAULTS] = "faults"};

/* How a user did in a job. */
struct grade {
    const struct ledger_bot *bot; /* the best one; NULL: none took part */
    long standing;                /* its place among all bots; 0: it is out */
    unsigned place;               /* among users */
    double points;
    char cells[COLUMN_COUNT][CELL_MAX];
};

struct student {
    const char *user;
    struct grade *grades; /* by job */
    double points;        /* the mean */
    unsigned place;
};

struct table {
    const struct queue *queue;
    const struct users *users;
    const struct grades_request *request;
    struct student *students;
    unsigned count;
};

/* The request. */

int grades_read(struct grades_request *request, struct span jobs, const char *format,
                struct request_error *error)
{
    *request = (struct grades_request){.format = GRADES_TEXT};
    while (jobs.start != NULL) {
        long number;

        if (request->count == GRADES_JOBS_MAX ||
            span_read_number(span_cut(&jobs, ','), 1, UINT32_MAX, &number) != 0)
            return request_error_set(error, REQUEST_ERROR_VALUE,
                                     "grades takes up to %d numbers of jobs, like 3,7,9",
                                     GRADES_JOBS_MAX);
        request->jobs[request->count++] = (unsigned)number;
    }
    while (format != NULL && request->format < GRADES_FORMAT_COUNT &&
           strcmp(format, grades_format_names[request->format]) != 0)
        request->format++;
    if (request->format == GRADES_FORMAT_COUNT)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "format takes text, csv or json, not \"%.40s\"", format);
    return 0;
}

/* Reading the standings. */

static struct student *find_student(struct table *table, const char *user)
{
    struct student *student;

    for (unsigned i = 0; i < table->count; i++) {
        if (strcmp(table->students[i].user, user) == 0)
            return &table->students[i];
    }
    table->students = xrealloc(table->students, (table->count + 1) * sizeof *table->students);
    student = &table->students[table->count++];
    *student = (struct student){.user = user};
    student->grades = xcalloc(table->request->count, sizeof *student->grades);
    return student;
}

/* The bot of the ledger that plays under a name; NULL if it is not graded. */
static const struct ledger_bot *find_bot(const struct table *table, const struct job *job,
                                         const char *player)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(table->queue->ledger, job->bots[i].place);

        if (bot != NULL && strcmp(ledger_player(table->queue->ledger, job, i), player) == 0)
            return strcmp(bot->user, OWNER) != 0 ? bot : NULL;
    }
    return NULL;
}

/* The first row of a user has the best place; a bot that is out counts if there is no other. */
static void take_row(struct table *table, unsigned index, char (*cells)[CELL_MAX])
{
    const struct job *job = ledger_job(table->queue->ledger, table->request->jobs[index]);
    const struct ledger_bot *bot = find_bot(table, job, cells[NAME]);
    struct grade *grade;
    bool is_out;

    if (bot == NULL)
        return;
    is_out = bot->is_disqualified || bot->is_removed;
    grade = &find_student(table, bot->user)->grades[index];
    if (grade->bot != NULL && (is_out || grade->standing > 0))
        return;
    grade->bot = bot;
    grade->standing = is_out ? 0 : strtol(cells[PLACE], NULL, 10);
    memcpy(grade->cells, cells, sizeof grade->cells);
}

/* Cuts a line into the cells of the columns; `wanted` has their numbers in it. */
static void cut_cells(struct span line, const unsigned *wanted, char (*cells)[CELL_MAX])
{
    for (unsigned number = 0; line.start != NULL; number++) {
        struct span cell = span_cut(&line, ',');

        for (unsigned column = 0; column < COLUMN_COUNT; column++) {
            if (wanted[column] == number)
                snprintf(cells[column], CELL_MAX, "%.*s", (int)cell.length, cell.start);
        }
    }
}

static void find_columns(struct span line, unsigned *wanted)
{
    for (unsigned number = 0; line.start != NULL; number++) {
        struct span cell = span_cut(&line, ',');

        for (unsigned column = 0; column < COLUMN_COUNT; column++) {
            if (span_is(cell, column_names[column]))
                wanted[column] = number;
        }
    }
}

static void take_rows(struct table *table, unsigned index, struct span rest)
{
    unsigned wanted[COLUMN_COUNT] = {0};

    find_columns(span_cut(&rest, '\n'), wanted);
    while (rest.start != NULL && rest.length > 0) {
        char cells[COLUMN_COUNT][CELL_MAX] = {""};

        cut_cells(span_cut(&rest, '\n'), wanted, cells);
        take_row(table, index, cells);
    }
}

static int take_job(struct table *table, unsigned index, struct request_error *error)
{
    unsigned number = table->request->jobs[index];
    const struct job *job = ledger_job(table->queue->ledger, number);
    struct file_read file = {.bytes = NULL};
    char *path;
    int result;

    if (job == NULL)
        return request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %u", number);
    if (!job_is_over(job->state))
        return request_error_set(error, REQUEST_ERROR_NO_LOG, "job %u is not over yet", number);
    path = queue_job_path(table->queue, number, "store/standings.csv");
    result = file_read(&file, path, TABLE_BYTES_MAX);
    if (result == 0)
        take_rows(table, index, (struct span){file.bytes, file.length});
    else
        (void)request_error_set(error, REQUEST_ERROR_NO_LOG, "job %u has no standings", number);
    free(file.bytes);
    free(path);
    return result;
}

/* Points. */

static bool is_placed(const struct grade *grade)
{
    return grade->bot != NULL && grade->standing > 0;
}

static void grade_job(struct table *table, unsigned index)
{
    for (unsigned i = 0; i < table->count; i++) {
        struct grade *grade = &table->students[i].grades[index];
        unsigned better = 0, equal = 0, others = 0;

        for (unsigned j = 0; j < table->count; j++) {
            const struct grade *other = &table->students[j].grades[index];

            if (j == i || other->bot == NULL)
                continue;
            others++;
            better += is_placed(other) && other->standing < grade->standing;
            equal += is_placed(other) && other->standing == grade->standing;
        }
        if (!is_placed(grade))
            continue;
        grade->place = better + 1;
        grade->points = others > 0 ? 100.0 * (others - better - equal / 2.0) / others : 100.0;
    }
}

static int compare_students(const void *one, const void *other)
{
    const struct student *a = one;
    const struct student *b = other;

    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    return strcmp(a->user, b->user);
}

static void sum_up(struct table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        struct student *student = &table->students[i];

        for (unsigned job = 0; job < table->request->count; job++)
            student->points += student->grades[job].points / table->request->count;
    }
    if (table->count > 0)
        qsort(table->students, table->count, sizeof *table->students, compare_students);
    for (unsigned i = 0; i < table->count; i++) {
        bool is_equal = i > 0 && table->students[i].points == table->students[i - 1].points;

        table->students[i].place = is_equal ? table->students[i - 1].place : i + 1;
    }
}

/* Writing. */

static const char *state_of(const struct grade *grade)
{
    if (grade->bot == NULL)
        return "absent";
    if (is_placed(grade))
        return "placed";
    return grade->bot->is_disqualified ? "disqualified" : "removed";
}

static const char *id_of(const struct table *table, const struct student *student)
{
    return users_id(table->users, student->user);
}

static void write_csv(const struct table *table, FILE *file)
{
    fputs("id,user,place,points", file);
    for (unsigned job = 0; job < table->request->count && table->request->count > 1; job++)
        fprintf(file, ",job_%u", table->request->jobs[job]);
    fputs(table->request->count > 1 ? "\n" : ",bot,version,win_share,score,matches,faults,state\n",
          file);
    for (unsigned i = 0; i < table->count; i++) {
        const struct student *student = &table->students[i];
        const struct grade *grade = student->grades;

        fprintf(file, "%s,%s,%u,%.1f", id_of(table, student), student->user, student->place,
                student->points);
        for (unsigned job = 0; job < table->request->count && table->request->count > 1; job++)
            fprintf(file, ",%.1f", student->grades[job].points);
        if (table->request->count == 1)
            fprintf(file, ",%s,%u,%s,%s,%s,%s,%s", grade->bot->name, grade->bot->version,
                    grade->cells[WIN_SHARE], grade->cells[SCORE], grade->cells[MATCHES],
                    grade->cells[FAULTS], state_of(grade));
        fputc('\n', file);
    }
}

static void write_text(const struct table *table, FILE *file)
{
    fprintf(file, "%5s %6s  %-20s %-16s", "place", "points", "user", "id");
    for (unsigned job = 0; job < table->request->count; job++)
        fprintf(file, " job %-6u", table->request->jobs[job]);
    fputc('\n', file);
    for (unsigned i = 0; i < table->count; i++) {
        const struct student *student = &table->students[i];

        fprintf(file, "%5u %6.1f  %-20s %-16s", student->place, student->points, student->user,
                id_of(table, student));
        for (unsigned job = 0; job < table->request->count; job++) {
            const struct grade *grade = &student->grades[job];

            if (is_placed(grade))
                fprintf(file, " %-10.1f", grade->points);
            else
                fprintf(file, " %-10.10s", grade->bot != NULL ? state_of(grade) : "-");
        }
        fputc('\n', file);
    }
}

static void put_grade(struct json_writer *json, unsigned job, const struct grade *grade)
{
    json_open_map(json);
    json_put_number(json, "job", job);
    json_put_text(json, "state", state_of(grade));
    json_put_decimal(json, "points", grade->points, 1);
    if (grade->bot != NULL) {
        json_put_text(json, "bot", grade->bot->name);
        json_put_number(json, "version", grade->bot->version);
        json_put_number(json, "place", grade->place);
        json_put_decimal(json, "win_share", strtod(grade->cells[WIN_SHARE], NULL), 4);
        json_put_decimal(json, "score", strtod(grade->cells[SCORE], NULL), 3);
        json_put_number(json, "matches", strtol(grade->cells[MATCHES], NULL, 10));
        json_put_number(json, "faults", strtol(grade->cells[FAULTS], NULL, 10));
    }
    json_close_map(json);
}

static void write_json(const struct table *table, FILE *file)
{
    struct json_writer *json = json_writer_new(false);
    size_t length;

    json_open_list(json);
    for (unsigned i = 0; i < table->count; i++) {
        const struct student *student = &table->students[i];

        json_open_map(json);
        json_put_text(json, "user", student->user);
        json_put_text(json, "id", id_of(table, student));
        json_put_number(json, "place", student->place);
        json_put_decimal(json, "points", student->points, 1);
        json_key(json, "jobs");
        json_open_list(json);
        for (unsigned job = 0; job < table->request->count; job++)
            put_grade(json, table->request->jobs[job], &student->grades[job]);
        json_close_list(json);
        json_close_map(json);
    }
    json_close_list(json);
    fputs(json_writer_bytes(json, &length), file);
    fputc('\n', file);
    json_writer_free(json);
}

static char *write_table(const struct table *table, size_t *length)
{
    static void (*const writers[GRADES_FORMAT_COUNT])(const struct table *, FILE *) = {
        [GRADES_TEXT] = write_text, [GRADES_CSV] = write_csv, [GRADES_JSON] = write_json};
    char *text = NULL;
    FILE *file = open_memstream(&text, length);

    if (file == NULL)
        return NULL;
    writers[table->request->format](table, file);
    fclose(file);
    return text;
}

char *grades_make(const struct queue *queue, const struct users *users,
                  const struct grades_request *request, size_t *length, struct request_error *error)
{
    struct table table = {.queue = queue, .users = users, .request = request};
    char *text = NULL;
    unsigned taken = 0;

    while (taken < request->count && take_job(&table, taken, error) == 0)
        taken++;
    if (taken == request->count) {
        for (unsigned job = 0; job < request->count; job++)
            grade_job(&table, job);
        sum_up(&table);
        text = write_table(&table, length);
        if (text == NULL)
            (void)queue_error_disk(error, "the table");
    }
    for (unsigned i = 0; i < table.count; i++)
        free(table.students[i].grades);
    free(table.students);
    return text;
}
