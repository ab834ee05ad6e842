#ifndef REFEREE_SANDBOX_CGROUP_PLACE_H
#define REFEREE_SANDBOX_CGROUP_PLACE_H

/* Private to cgroup.c: where the folder of our own group is in a hierarchy. */

/* The folder for a controller of version 1, or for version 2 if `controller` is NULL. The caller
 * frees it. NULL if that hierarchy is not mounted here, or not our part of it. */
char *cgroup_place_find(const char *controller);

/* The same from the texts of /proc/self/mountinfo and /proc/self/cgroup. */
char *cgroup_place_read(const char *mounts, const char *groups, const char *controller);

#endif
