/* Each entry is a line "KIND MODE PATH-BYTES DATA-BYTES", the path and the data: of a file its
 * bytes, of a link where it points to, of a folder nothing. Folders come before what is in them,
 * names in the order of their bytes. */

#include "tournament/distribute/parcel.h"

#include "base/directory.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct packing {
    struct parcel *parcel;
    char name[PATH_MAX];
    unsigned depth;
};

static int add_entry(struct packing *packing, int folder, const char *name);

/* Makes room for so much more. Returns NULL with EFBIG if that is too much. */
static char *reserve(struct parcel *parcel, size_t length)
{
    if (length > PARCEL_BYTES_MAX || parcel->length > PARCEL_BYTES_MAX - length) {
        errno = EFBIG;
        return NULL;
    }
    if (parcel->length + length > parcel->capacity) {
        parcel->capacity = 2 * (parcel->length + length);
        parcel->bytes = xrealloc(parcel->bytes, parcel->capacity);
    }
    return parcel->bytes + parcel->length;
}

/* Returns where the data of the entry go, or NULL with errno. */
static char *add_head(struct packing *packing, char kind, unsigned mode, size_t length)
{
    struct parcel *parcel = packing->parcel;
    char head[80];
    size_t path = strlen(packing->name);
    int bytes = snprintf(head, sizeof head, "%c %o %zu %zu\n", kind, mode, path, length);
    char *at = reserve(parcel, (size_t)bytes + path + length);

    if (at == NULL)
        return NULL;
    if (++parcel->entries > PARCEL_ENTRIES_MAX) {
        errno = EFBIG;
        return NULL;
    }
    memcpy(at, head, (size_t)bytes);
    memcpy(at + bytes, packing->name, path);
    parcel->length += (size_t)bytes + path + length;
    return at + bytes + path;
}

static int add_file(struct packing *packing, int folder, const char *name,
                    const struct stat *status)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    size_t size = (size_t)status->st_size;
    size_t done = 0;
    ssize_t got = 1;
    char *data;

    if (fd < 0)
        return errno == EACCES || errno == EPERM ? 0 : -1;
    data = add_head(packing, 'f', (status->st_mode & 0100) != 0 ? 0755 : 0644, size);
    while (data != NULL && done < size && got > 0) {
        got = read(fd, data + done, size - done);
        done += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    if (data != NULL && done < size)
        errno = EAGAIN; /* it is being changed */
    return data != NULL && done == size ? 0 : -1;
}

static int add_link(struct packing *packing, int folder, const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(folder, name, target, sizeof target);
    char *data;

    if (length < 0 || length == (ssize_t)sizeof target)
        return -1;
    data = add_head(packing, 'l', 0777, (size_t)length);
    if (data != NULL)
        memcpy(data, target, (size_t)length);
    return data != NULL ? 0 : -1;
}

static int by_bytes(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int add_entries(struct packing *packing, int fd)
{
    struct dirent **list = NULL;
    int count = scandirat(fd, ".", &list, is_entry, by_bytes);
    int result = count >= 0 ? 0 : -1;
    size_t length = strlen(packing->name);
    int error;

    for (int i = 0; i < count; i++) {
        int added = snprintf(packing->name + length, sizeof packing->name - length, "%s%s",
                             length > 0 ? "/" : "", list[i]->d_name);

        if (result == 0 && (size_t)added >= sizeof packing->name - length) {
            errno = ENAMETOOLONG;
            result = -1;
        }
        if (result == 0)
            result = add_entry(packing, fd, list[i]->d_name);
        error = errno;
        packing->name[length] = '\0';
        free(list[i]);
        errno = error;
    }
    free(list);
    return result;
}

static int add_folder(struct packing *packing, int folder, const char *name)
{
    int fd;
    int result = -1;

    if (directory_is_marked(folder, name))
        return 0;
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES || errno == EPERM ? 0 : -1;
    if (++packing->depth > PARCEL_DEPTH_MAX)
        errno = EFBIG;
    else if (packing->name[0] == '\0' || add_head(packing, 'd', 0755, 0) != NULL)
        result = add_entries(packing, fd);
    packing->depth--;
    close(fd);
    return result;
}

static int add_entry(struct packing *packing, int folder, const char *name)
{
    struct stat status;

    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : -1;
    if (S_ISDIR(status.st_mode))
        return add_folder(packing, folder, name);
    if (S_ISREG(status.st_mode))
        return add_file(packing, folder, name, &status);
    return S_ISLNK(status.st_mode) ? add_link(packing, folder, name) : 0;
}

int parcel_add(struct parcel *parcel, const char *path, const char *name)
{
    struct packing packing = {.parcel = parcel};

    snprintf(packing.name, sizeof packing.name, "%s", name);
    return add_entry(&packing, AT_FDCWD, path);
}

int parcel_add_folder(struct parcel *parcel, const char *name)
{
    struct packing packing = {.parcel = parcel};

    snprintf(packing.name, sizeof packing.name, "%s", name);
    return add_head(&packing, 'd', 0755, 0) != NULL ? 0 : -1;
}

void parcel_cut(struct parcel *parcel, size_t length, unsigned entries)
{
    parcel->length = length;
    parcel->entries = entries;
}

void parcel_finish(struct parcel *parcel)
{
    seal_hash((struct span){parcel->bytes != NULL ? parcel->bytes : "", parcel->length},
              parcel->hash);
}

void parcel_free(struct parcel *parcel)
{
    free(parcel->bytes);
    memset(parcel, 0, sizeof *parcel);
}

/* Unpacking. */

struct entry {
    char kind;
    unsigned mode;
    char path[PATH_MAX];
    struct span data;
};

/* Whether a path stays below the folder, whatever is there. */
static bool is_inside(const char *path)
{
    if (path[0] == '/' || path[0] == '\0')
        return false;
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at += at != path || *at == '/';
        if (*at == '\0' || *at == '/' ||
            (strncmp(at, "..", 2) == 0 && strchr("/", at[2]) != NULL) ||
            (at[0] == '.' && strchr("/", at[1]) != NULL))
            return false;
    }
    return true;
}

/* Reads the next entry off `rest`. */
static int read_entry(struct span *rest, struct entry *entry)
{
    const char *end = memchr(rest->start, '\n', rest->length < 80 ? rest->length : 80);
    char head[81];
    size_t line = end != NULL ? (size_t)(end - rest->start) : 0;
    size_t path, data;

    if (end == NULL)
        return -1;
    memcpy(head, rest->start, line);
    head[line] = '\0';
    if (sscanf(head, "%c %o %zu %zu", &entry->kind, &entry->mode, &path, &data) != 4 ||
        path >= sizeof entry->path || path > rest->length - line - 1 ||
        data > rest->length - line - 1 - path)
        return -1;
    memcpy(entry->path, end + 1, path);
    entry->path[path] = '\0';
    entry->data = (struct span){end + 1 + path, data};
    rest->start = end + 1 + path + data;
    rest->length -= line + 1 + path + data;
    return strlen(entry->path) == path && is_inside(entry->path) ? 0 : -1;
}

/* The folder that an entry is in, in which no link is followed. */
static int open_parent(int root, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char parent[PATH_MAX];
    int fd = dup(root);

    *name = slash != NULL ? slash + 1 : path;
    if (slash == NULL || fd < 0)
        return fd;
    memcpy(parent, path, (size_t)(slash - path));
    parent[slash - path] = '\0';
    for (char *save, *part = strtok_r(parent, "/", &save); part != NULL && fd >= 0;
         part = strtok_r(NULL, "/", &save)) {
        int next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        close(fd);
        fd = next;
    }
    return fd;
}

static int make_file(int parent, const char *name, const struct entry *entry)
{
    int fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t done = 0;
    int result = fd >= 0 ? 0 : -1;

    while (result == 0 && done < entry->data.length) {
        ssize_t written = write(fd, entry->data.start + done, entry->data.length - done);

        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            result = -1;
    }
    if (result == 0)
        result = fchmod(fd, entry->mode == 0755 ? 0755 : 0644);
    if (fd >= 0 && close(fd) != 0)
        result = -1;
    return result;
}

static int make_entry(int root, const struct entry *entry)
{
    const char *name;
    int parent = open_parent(root, entry->path, &name);
    char target[PATH_MAX];
    int result = -1;
    int error;

    if (parent < 0)
        return -1;
    if (entry->kind == 'd') {
        result = mkdirat(parent, name, 0755);
    } else if (entry->kind == 'f') {
        result = make_file(parent, name, entry);
    } else if (entry->kind == 'l' && entry->data.length < sizeof target) {
        memcpy(target, entry->data.start, entry->data.length);
        target[entry->data.length] = '\0';
        result = symlinkat(target, parent, name);
    } else {
        errno = EINVAL;
    }
    error = errno;
    close(parent);
    errno = error;
    return result;
}

int parcel_unpack(struct span bytes, const char *to)
{
    struct entry *entry = xcalloc(1, sizeof *entry);
    int root = mkdir(to, 0755) == 0 ? open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int result = root >= 0 ? 0 : -1;

    while (result == 0 && bytes.length > 0) {
        errno = EINVAL;
        result = read_entry(&bytes, entry);
        if (result == 0)
            result = make_entry(root, entry);
    }
    if (root >= 0)
        close(root);
    free(entry);
    return result;
}
