// Size, permissions and time of a file are inputs as well; the owner's right to read and write is not, nor is anything of a directory.
// cc: -DHOW=0
// cc: -DHOW=1
// cc: -DHOW=2
// cc: -DHOW=3
// cc: -DHOW=4
// cc: -D_FILE_OFFSET_BITS=64 -DHOW=0
// tandem: trace @
// file: data abcdef
// expect: main +not taken .*len\(data\)
// expect: main +not taken .*meta data
// expect: main +not taken .*meta data\[4
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	struct stat s;
	struct statx x;
	int fd = open("data", O_RDONLY);
	if (fd < 0)
		return 1;
	switch (HOW) {
	case 0: stat("data", &s); break;
	case 1: lstat("data", &s); break;
	case 2: fstat(fd, &s); break;
	case 3: fstatat(AT_FDCWD, "data", &s, 0); break;
	case 4:
		statx(AT_FDCWD, "data", 0, STATX_BASIC_STATS, &x);
		s.st_size = (off_t)x.stx_size;
		s.st_mode = x.stx_mode;
		s.st_mtime = x.stx_mtime.tv_sec;
	}
	if (s.st_size == 7)
		puts("seven");
	if ((s.st_mode & 0777) == 0711)
		puts("executable");
	if (s.st_mtime < 1000)
		puts("old");
	if (!S_ISREG(s.st_mode))
		puts("no file");
	if (!(s.st_mode & S_IWUSR))
		puts("read-only");
	DIR *dir = opendir(".");
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] == '!')
			puts("!");
	return access("data", X_OK) == 0;
}
