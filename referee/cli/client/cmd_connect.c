/* `referee connect` is the other end of a bridge, on the machine of the bot's author. Each table is
 * a process that does one thing after the other: connect, wait for the start of a match, start the
 * bot, pass bytes on until one side has ended, and repeat. The parent only waits for them. A
 * process that ends takes all its children with it, by the signal that the kernel sends when a
 * parent dies. */

#include "base/memory.h"
#include "base/message.h"
#include "bot/bot_command.h"
#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/options.h"
#include "cli/client/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TABLES_MAX 64
#define COMMAND_BYTES 8192
#define PAUSE_FIRST_MS 250
#define PAUSE_MOST_MS 10000
#define FAREWELL_MS 2000 /* for a bot to end after its match */

struct connect {
    struct dial dial;
    const char *name;
    struct bot_command command;
    long tables;
    bool is_once;
};

static const struct option_row rows[] = {
    {DIAL_TOKEN_FILE(struct connect, dial.token_file)},
    {OPTION_GROUP(struct connect, dial, struct dial, dial_tls_rows)},
    {"--tables", "N", "play up to N matches at once (1)",
     OPTION_NUMBER(struct connect, tables, 1, TABLES_MAX)},
    {"--once", NULL, "exit after one match at each table", OPTION_FLAG(struct connect, is_once)},
    {.name = NULL},
};

static const struct options options = {
    .command = "connect",
    .usage = "[OPTION...] HOST:PORT NAME COMMAND...",
    .purpose =
        "Plays from this machine as the bot NAME of the daemon at HOST:PORT. COMMAND starts\n"
        "your bot; it runs once per match, on this machine, without a sandbox. Ctrl-C ends it.\n"
        "The daemon must know the name (`referee submit bot NAME --remote`) and accept bots\n"
        "from elsewhere (`referee serve --remote`).\n",
    .examples = "  referee connect --tls --token-file token club.example:4000 anna python3 bot.py\n"
                "  referee connect --tables 4 localhost:4000 anna ./mybot\n"
                "  referee connect localhost:4000 anna -- ./mybot --fast\n",
    .rows = rows,
    .takes = "HOST:PORT, the NAME of the bot and its command",
    .least = 3,
    .most = SIZE_MAX,
    .takes_command = true,
};

/* One table: what its process knows. */
struct table_process {
    const struct connect *connect;
    unsigned number; /* from 1 */
    long pause_ms;
    bool has_complained;
};

static void say(const struct table_process *table, const char *text)
{
    if (table->connect->tables > 1)
        message_say("table %u: %s", table->number, text);
    else
        message_say("%s", text);
}

static void pause_ms(long ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* Dies with its parent, even if the parent is dead already. */
static void follow_parent(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent)
        _exit(CLI_FAILED);
}

/* The bot. */

static _Noreturn void become_bot(const struct bot_command *command, pid_t parent, int input,
                                 int output)
{
    follow_parent(parent);
    signal(SIGPIPE, SIG_DFL);
    unsetenv("REFEREE_TOKEN");
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
        _exit(CLI_FAILED);
    execv(command->argv[0], command->argv);
    message_say("cannot run %s: %s", command->argv[0], strerror(errno));
    _exit(127);
}

static pid_t start_bot(const struct bot_command *command, struct relay_ends *ends)
{
    int input[2], output[2] = {-1, -1};
    pid_t parent = getpid();
    pid_t pid;

    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
        fatal("no pipe for the bot: %s", strerror(errno));
    pid = fork();
    if (pid == 0)
        become_bot(command, parent, input[0], output[1]);
    if (pid < 0)
        fatal("cannot start a process for the bot: %s", strerror(errno));
    close(input[0]);
    close(output[1]);
    ends->to_near = input[1];
    ends->from_near = output[0];
    return pid;
}

/* Its input has ended, so it should end. Returns its wait status. */
static int end_bot(pid_t pid)
{
    int status = 0;

    for (long waited_ms = 0; waited_ms < FAREWELL_MS; waited_ms += 10) {
        if (waitpid(pid, &status, WNOHANG) != 0)
            return status;
        pause_ms(10);
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return 0;
}

/* A match. */

static int tell_end(const struct table_process *table, enum relay_end end, int status)
{
    char text[120];

    if (end == RELAY_FAR_ENDED) {
        say(table, "match over");
        return CLI_FINE;
    }
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "the bot left the match: killed by signal %d",
                 WTERMSIG(status));
    else
        snprintf(text, sizeof text, "the bot left the match: exit status %d", WEXITSTATUS(status));
    say(table, text);
    return CLI_BOT_FAULT;
}

/* Bots commonly end when they receive `bye`, just before the connection does. */
static bool is_farewell(enum relay_end end, int status)
{
    return end == RELAY_NEAR_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int play_match(struct table_process *table, struct connection *client)
{
    struct relay_ends ends;
    struct span unread;
    enum relay_end end;
    pid_t pid;
    int status;

    say(table, "match started");
    pid = start_bot(&table->connect->command, &ends);
    ends.far = connection_take_fd(client, &unread);
    end = relay_run(&ends, unread, true);
    status = end_bot(pid);
    if (is_farewell(end, status))
        end = RELAY_FAR_ENDED;
    return tell_end(table, end, status);
}

/* Waits for a match. Returns CLI_FINE when it begins, CLI_FAILED if trying again may help. */
static int await_start(struct table_process *table, struct connection *client, struct text *problem)
{
    char text[100];
    struct request_line request;
    struct request_reply reply;
    const char *sentence;
    int code;

    request_line_start(&request, REQUEST_PLAY);
    request_line_add(&request, NULL, table->connect->name);
    if (connection_send(client, &request, span_of(""), problem) != 0)
        return CLI_USAGE;
    connection_read(client, &reply);
    if (reply.kind == REQUEST_REPLY_OK) {
        snprintf(text, sizeof text, "waiting for a match as %s", table->connect->name);
        say(table, text);
        table->pause_ms = PAUSE_FIRST_MS;
        table->has_complained = false;
        connection_read(client, &reply);
    }
    if (reply.kind == REQUEST_REPLY_START)
        return CLI_FINE;
    if (reply.kind == REQUEST_REPLY_ERROR) {
        code = connection_error(&reply, &sentence);
        text_add(problem, sentence);
        return code;
    }
    text_add(problem, "the daemon closed the connection");
    return CLI_FAILED;
}

/* Tries until a match begins. Returns its connection; or NULL with the exit code, if trying again
 * cannot help. */
static struct connection *find_match(struct table_process *table, int *code)
{
    char sentence[600];
    struct text problem;

    for (;;) {
        struct connection *client;

        text_start(&problem, sentence, sizeof sentence);
        client = connection_open(&table->connect->dial, code, &problem);
        if (client != NULL)
            *code = await_start(table, client, &problem);
        if (*code == CLI_FINE)
            return client;
        connection_free(client);
        if (*code != CLI_FAILED) {
            say(table, sentence);
            return NULL;
        }
        /* Only the first table says so: the daemon is the same for all. */
        if (!table->has_complained && table->number == 1) {
            text_add(&problem, "; trying again, until Ctrl-C");
            say(table, sentence);
        }
        table->has_complained = true;
        pause_ms(table->pause_ms);
        table->pause_ms = table->pause_ms * 2 < PAUSE_MOST_MS ? table->pause_ms * 2 : PAUSE_MOST_MS;
    }
}

static int run_table(const struct connect *connect, unsigned number)
{
    struct table_process table = {.connect = connect, .number = number, .pause_ms = PAUSE_FIRST_MS};
    int code;

    do {
        struct connection *client = find_match(&table, &code);

        if (client == NULL)
            return code;
        code = play_match(&table, client);
        connection_free(client);
    } while (!connect->is_once);
    return code;
}

/* All tables. */

static int await_tables(const struct connect *connect, const pid_t *tables)
{
    int code = CLI_FINE;

    for (long left = connect->tables; left > 0; left--) {
        int status = 0;

        if (wait(&status) < 0)
            return CLI_FAILED;
        if (WIFSIGNALED(status))
            status = CLI_FAILED << 8;
        if (WEXITSTATUS(status) > code)
            code = WEXITSTATUS(status);
        if (code == CLI_FINE || connect->is_once)
            continue;
        /* What stops one of them stops all; it is reported only once. */
        for (long i = 0; i < connect->tables; i++)
            kill(tables[i], SIGTERM);
        return code;
    }
    return code;
}

static int run(const struct connect *connect)
{
    pid_t tables[TABLES_MAX];
    pid_t parent = getpid();

    for (long i = 0; i < connect->tables; i++) {
        tables[i] = fork();
        if (tables[i] < 0) {
            message_say("cannot start a process for table %ld: %s", i + 1, strerror(errno));
            return CLI_FAILED;
        }
        if (tables[i] == 0) {
            follow_parent(parent);
            _exit(run_table(connect, (unsigned)i + 1));
        }
    }
    return await_tables(connect, tables);
}

/* Several arguments are one command line, in which nothing is special any more. */
static int read_command(struct connect *connect, char **arguments, size_t count)
{
    char line[COMMAND_BYTES], sentence[600];
    struct text text, problem;

    text_start(&text, line, sizeof line);
    text_start(&problem, sentence, sizeof sentence);
    for (size_t i = 0; i < count && count > 1; i++) {
        text_add(&text, i > 0 ? " \"" : "\"");
        for (const char *at = arguments[i]; *at != '\0'; at++) {
            if (*at == '"' || *at == '\\')
                text_add_char(&text, '\\');
            text_add_char(&text, *at);
        }
        text_add_char(&text, '"');
    }
    if (count == 1)
        text_add(&text, arguments[0]);
    if (text.is_cut)
        text_add(&problem, "the command is too long");
    else if (bot_command_read(&connect->command, line, &problem) == 0)
        return 0;
    message_say("%s", sentence);
    return -1;
}

int cli_connect(int argc, char **argv)
{
    struct connect connect = {.tables = 1};
    int code;
    int count = options_read(&options, argc, argv, &connect, &code);

    if (count < 0)
        return code;
    connect.dial.host_port = argv[1];
    connect.name = argv[2];
    code = CLI_USAGE;
    if (dial_check_host("connect", connect.dial.host_port) &&
        read_command(&connect, argv + 3, (size_t)count - 2) == 0)
        code = run(&connect);
    bot_command_free(&connect.command);
    return code;
}
