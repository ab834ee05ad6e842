#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BOT_CACHE_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BOT_CACHE_H

/* The bots that a worker has: files by their hash, and what was built of them. An entry that is not
 * what its name says is thrown away, and those that were not used for the longest time make room
 * for others. */

#include "base/text.h"
#include "tournament/distribute/seal.h"

#include <stdbool.h>
#include <stdint.h>

struct bot_cache;

/* In a folder, which is made and locked for this process; at most so many bytes. Returns NULL with
 * one sentence. */
struct bot_cache *bot_cache_open(const char *folder, int64_t most_bytes, struct text *problem);
void bot_cache_free(struct bot_cache *cache);

/* FOLDER/HASH/files, and FOLDER/HASH/built-BUILD, where BUILD stands for the build command. Free
 * it. */
char *bot_cache_path(const struct bot_cache *cache, const char *hash, const char *build);

/* Whether the files are there and are what they were; and what was built of them, if `build` is not
 * NULL. Each is looked at once, when it is first used. Counts as a use. */
bool bot_cache_has(struct bot_cache *cache, const char *hash, const char *build);

/* Adds the files of a parcel. `pinned` are hashes that stay; NULL ends them. Returns 0, or -1 with
 * errno: EINVAL if they are not what the hash says, ENOSPC if there is no room. */
int bot_cache_add(struct bot_cache *cache, const char *hash, struct span parcel,
                  const char *const *pinned);

/* Before and after a build in bot_cache_path(): whatever is there is removed; what is there now is
 * complete. Returns 0, or -1 with errno. */
int bot_cache_begin_build(struct bot_cache *cache, const char *hash, const char *build);
int bot_cache_end_build(struct bot_cache *cache, const char *hash, const char *build);

#endif
