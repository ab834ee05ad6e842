/* Submits a bot: a file that is sent, a command on the daemon's machine, or a remote bot. A folder
 * is sent as an archive, which the daemon unpacks. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/options.h"
#include "cli/client/cmd_submit.h"
#include "cli/client/output_print.h"
#include "wire/json_write.h"
#include "serve/archive/archive.h"
#include "wire/request.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_MAX_MB 1000000
#define ARCHIVE "bot.tar"

struct bot_submission {
    struct dial dial;
    const char *name, *path, *command, *build;
    char *folder;
    long memory_mb;
    bool is_remote, is_json;
    char *bytes; /* what is sent, or NULL */
    size_t length;
};

static int read_folder_path(void *destination, const char *name, const char *value)
{
    char **folder = destination;

    (void)name;
    free(*folder);
    *folder = realpath(value, NULL);
    if (*folder != NULL)
        return 0;
    message_say("cannot enter the folder %s: %s", value, strerror(errno));
    return -1;
}

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct bot_submission, dial)},
    {"--command", "COMMAND", "how to run it (./FILE, if FILE can be executed)",
     OPTION_TEXT(struct bot_submission, command)},
    {"--build", "COMMAND", "a shell command that builds it, run once before",
     OPTION_TEXT(struct bot_submission, build)},
    {"--folder", "PATH", "it is in this folder on the daemon's machine",
     OPTION_READ(struct bot_submission, folder, read_folder_path, NULL)},
    {"--memory-mb", "N", "the memory that it may use",
     OPTION_NUMBER(struct bot_submission, memory_mb, 1, MEMORY_MAX_MB)},
    {"--remote", NULL, "it runs on another machine: see `referee connect --help`",
     OPTION_FLAG(struct bot_submission, is_remote)},
    {"--json", NULL, "print name and version as JSON", OPTION_FLAG(struct bot_submission, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "submit bot",
    .usage = "[OPTION...] NAME [FILE]",
    .purpose =
        "Submits a bot, or a new version of it. FILE is a program, a script with a `#!` line,\n"
        "anything that --command can run; or a folder, a zip or a tar(.gz), which is unpacked.\n"
        "Without FILE, --command is run on the daemon's machine, or --remote announces a bot\n"
        "that connects from another machine. The daemon builds the bot and waits for its hello;\n"
        "if that fails, this command shows what the build or the bot printed and exits with 3: "
        "the\n"
        "version counts, but the one before it goes on playing.\n",
    .examples = "  referee submit bot anna bot.py --command 'python3 bot.py'\n"
                "  referee submit bot bert src/ --build make --command ./bert --memory-mb 512\n"
                "  referee submit bot carl carl.zip --command 'python3 main.py'\n"
                "  referee submit bot greedy --command /usr/local/bin/greedy\n"
                "  referee submit bot far --remote\n",
    .rows = rows,
    .takes = "the NAME of the bot and at most one FILE",
    .least = 1,
    .most = 2,
};

/* A relative path would be looked for in the working directory of the daemon. */
static bool is_misplaced(const struct bot_submission *bot)
{
    size_t length = strcspn(bot->command, " ");

    return bot->folder == NULL && bot->command[0] != '/' &&
           memchr(bot->command, '/', length) != NULL;
}

static int check(const struct bot_submission *bot)
{
    if ((bot->path != NULL) + bot->is_remote + (bot->folder != NULL) > 1)
        message_say("only one of FILE, --folder and --remote is possible");
    else if (bot->is_remote && (bot->command != NULL || bot->build != NULL || bot->memory_mb > 0))
        message_say("a remote bot has its command on its own machine");
    else if (bot->path == NULL && !bot->is_remote && bot->command == NULL)
        message_say("which bot? Give a FILE, --command or --remote");
    else if (bot->path == NULL && bot->build != NULL && bot->folder == NULL)
        message_say("--build needs a FILE or a --folder");
    else if (bot->path == NULL && bot->command != NULL && is_misplaced(bot))
        message_say("the daemon runs it: give the whole path of `%s`, or its --folder",
                    bot->command);
    else
        return 0;
    return -1;
}

/* Uploads. */

static bool runs_itself(const struct bot_submission *bot)
{
    return strncmp(bot->bytes, "#!", 2) == 0 || strncmp(bot->bytes, "\177ELF", 4) == 0;
}

static int read_file(struct bot_submission *bot)
{
    bot->bytes = submit_read_file(bot->path, REQUEST_UPLOAD_MAX, &bot->length);
    if (bot->bytes == NULL)
        return -1;
    if (bot->command != NULL || (runs_itself(bot) && !archive_is_name(bot->path)))
        return 0;
    if (archive_is_name(bot->path))
        message_say("an archive needs a --command: how is %s run?", bot->path);
    else
        message_say("%s is not a program and has no `#!` line: give its command, like --command "
                    "'python3 bot.py'",
                    bot->path);
    return -1;
}

static pid_t start_tar(const char *folder, int *output)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid = fork();
    if (pid == 0) {
        if (dup2(ends[1], STDOUT_FILENO) >= 0)
            execlp("tar", "tar", "cf", "-", "-C", folder, ".", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return pid;
}

/* Reads everything, but no more than can be sent. */
static void read_archive(struct bot_submission *bot, int output)
{
    size_t most = REQUEST_UPLOAD_MAX + 1;
    ssize_t count = 1;

    bot->bytes = xcalloc(most, 1);
    while (bot->length < most && count > 0) {
        count = read(output, bot->bytes + bot->length, most - bot->length);
        if (count > 0)
            bot->length += (size_t)count;
    }
    close(output);
}

static int read_folder(struct bot_submission *bot)
{
    int status = -1, output = -1;
    pid_t pid;

    if (bot->command == NULL) {
        message_say("a folder needs a --command: how is %s run?", bot->path);
        return -1;
    }
    pid = start_tar(bot->path, &output);
    if (pid > 0) {
        read_archive(bot, output);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    if (bot->length > REQUEST_UPLOAD_MAX)
        message_say("%s is too large for the daemon: at most %ld KiB", bot->path,
                    REQUEST_UPLOAD_MAX >> 10);
    else if (status != 0)
        message_say("`tar` cannot pack %s", bot->path);
    else
        return 0;
    return -1;
}

/* The request. */

static void write_request(const struct bot_submission *bot, bool is_folder,
                          struct request_line *request)
{
    const char *slash = bot->path != NULL ? strrchr(bot->path, '/') : NULL;

    request_line_start(request, REQUEST_SUBMIT);
    request_line_add(request, NULL, bot->name);
    if (bot->is_remote)
        request_line_add(request, "remote", "yes");
    if (bot->path != NULL) {
        request_line_add(request, "file",
                         is_folder       ? ARCHIVE
                         : slash != NULL ? slash + 1
                                         : bot->path);
        request_line_add_number(request, "bytes", bot->length);
    }
    if (bot->command != NULL)
        request_line_add(request, "command", bot->command);
    if (bot->folder != NULL)
        request_line_add(request, "folder", bot->folder);
    if (bot->memory_mb > 0)
        request_line_add_number(request, "memory_mb", (unsigned long)bot->memory_mb);
    if (bot->build != NULL)
        request_line_add(request, "build", bot->build);
}

/* The value of a key of the reply. */
static const char *find(const struct request_reply *reply, const char *key, char value[24])
{
    struct text text;

    text_start(&text, value, 24);
    request_reply_find(reply, key, &text);
    return value;
}

static void print_json(const struct bot_submission *bot, const struct request_reply *reply)
{
    static const char *const keys[] = {"build", "hello"};
    struct json_writer *json = json_writer_new(true);
    char value[24];
    size_t length;

    json_open_map(json);
    json_put_text(json, "bot", bot->name);
    json_put_number(json, "version", atol(find(reply, "version", value)));
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (find(reply, keys[i], value)[0] != '\0')
            json_put_text(json, keys[i], value);
    }
    if (reply->length > 0) {
        json_key(json, "output");
        json_text_bytes(json, reply->block, reply->length);
    }
    json_close_map(json);
    fputs(json_writer_bytes(json, &length), stdout);
    json_writer_free(json);
}

/* In words, what the daemon says about its build and its hello. */
static const char *describe(const char *build, const char *hello)
{
    bool is_built = strcmp(build, "ok") == 0;

    if (strcmp(build, "failed") == 0)
        return ": its build failed";
    if (strcmp(hello, "failed") == 0)
        return is_built ? ": it was built, but does not say hello" : ": it does not say hello";
    if (strcmp(hello, "ok") == 0)
        return is_built ? ": it was built and says hello" : ": it says hello";
    if (strcmp(hello, "waiting") == 0)
        return ": it waits to be built and started; `referee output` shows what comes of it";
    return strcmp(hello, "unknown") == 0 ? ": the daemon could not start it now" : "";
}

/* Returns an exit code. */
static int print_reply(const struct bot_submission *bot, const struct request_reply *reply)
{
    char version[24], build[24], hello[24];
    bool is_bad;

    (void)find(reply, "version", version);
    (void)find(reply, "build", build);
    (void)find(reply, "hello", hello);
    is_bad = strcmp(build, "failed") == 0 || strcmp(hello, "failed") == 0;
    if (bot->is_json)
        print_json(bot, reply);
    else
        printf("bot %s, version %s%s\n", bot->name, version, describe(build, hello));
    if (!bot->is_json)
        output_print(stdout, reply->block, reply->length);
    return is_bad ? CLI_BOT_FAULT : CLI_FINE;
}

static int submit(struct connection *client, const struct bot_submission *bot,
                  const struct request_line *request)
{
    struct request_reply reply;
    int code = connection_ask(client, request, (struct span){bot->bytes, bot->length}, &reply);

    return code == CLI_FINE ? print_reply(bot, &reply) : code;
}

static int run(struct bot_submission *bot)
{
    struct request_line request;
    struct stat status;
    struct connection *client;
    bool is_folder = bot->path != NULL && stat(bot->path, &status) == 0 && S_ISDIR(status.st_mode);
    int code;

    if (bot->path != NULL && (is_folder ? read_folder(bot) : read_file(bot)) != 0)
        return CLI_USAGE;
    write_request(bot, is_folder, &request);
    client = connection_begin(&bot->dial, &code);
    if (client != NULL)
        code = submit(client, bot, &request);
    connection_free(client);
    return code;
}

int submit_bot(int argc, char **argv)
{
    struct bot_submission bot = {.name = NULL};
    int code;

    if (options_read(&options, argc, argv, &bot, &code) >= 0) {
        bot.name = argv[1];
        bot.path = argv[2];
        code = check(&bot) == 0 ? run(&bot) : CLI_USAGE;
    }
    free(bot.folder);
    free(bot.bytes);
    return code;
}
