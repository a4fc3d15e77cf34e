"""Names of the standard library and of POSIX: a call of one is that, unless the view has it in scope."""

from __future__ import annotations

_NAMES = """
abort abs accept access acos alarm asctime asin assert atan atan2 atexit atof atoi atol atoll bcmp bcopy bind
bsearch bzero calloc ceil chdir chmod chown clearerr clock close closedir connect cos creat ctime difftime div dup
dup2 errno execl execle execlp execv execve execvp exit exp fabs fclose fcntl fdopen feof ferror fflush fgetc
fgetpos fgets fileno floor fmod fopen fork fprintf fputc fputs fread free freopen frexp fscanf fseek fseeko fsetpos
fstat fsync ftell ftello ftruncate fwrite getc getchar getcwd getenv gethostbyname getopt getpid getppid gets
gettimeofday getuid gmtime htonl htons inet_addr inet_ntoa inet_ntop inet_pton ioctl isalnum isalpha isatty iscntrl
isdigit isgraph islower isprint ispunct isspace isupper isxdigit kill labs ldexp ldiv link listen llabs localtime
log log10 log2 longjmp lseek lstat malloc mblen mbstowcs mbtowc memchr memcmp memcpy memmove memset mkdir mkstemp
mktime mmap modf munmap nanosleep ntohl ntohs offsetof open opendir pause perror pipe poll pow printf
pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_wait pthread_create
pthread_join pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock putc putchar putenv
puts qsort raise rand random read readdir readlink realloc realpath recv recvfrom recvmsg remove rename rewind rmdir
scanf select send sendmsg sendto setbuf setenv setjmp setlocale setsockopt setvbuf shutdown sigaction sigemptyset
signal sin sleep snprintf socket socketpair sprintf sqrt srand srandom sscanf stat strcasecmp strcat strchr strcmp
strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp strncat strncmp strncpy strndup strpbrk strrchr
strspn strstr strtod strtof strtok strtok_r strtol strtoll strtoul strtoull strxfrm symlink system tan time tmpfile
tmpnam tolower toupper truncate umask ungetc unlink usleep utime va_arg va_copy va_end va_start vfprintf vprintf
vsnprintf vsprintf wait waitpid wcscpy wcslen wcstombs wctomb write EOF EXIT_FAILURE EXIT_SUCCESS FILE INT_MAX
INT_MIN LONG_MAX LONG_MIN NULL RAND_MAX SEEK_CUR SEEK_END SEEK_SET SIZE_MAX UINT_MAX ULONG_MAX stderr stdin stdout
"""
STANDARD = frozenset(_NAMES.split())
