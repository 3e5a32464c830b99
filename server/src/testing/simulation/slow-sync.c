/* Loaded into a process with LD_PRELOAD: every sync to the disk takes 5 to 40 milliseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int file) {
  struct timespec delay = {0, (5 + rand() % 36) * 1000000L};
  nanosleep(&delay, NULL);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }
