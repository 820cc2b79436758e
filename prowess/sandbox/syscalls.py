"""What jailed code may ask of the kernel, and the numbers the kernel knows these calls by.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Machines the jail knows, with the audit architecture that the kernel reports for them."""

_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # name: (x86_64, aarch64); None where the machine has no such call
    "access": (21, None),
    "alarm": (37, None),
    "bpf": (321, 280),
    "brk": (12, 214),
    "chroot": (161, 51),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "clone": (56, 220),
    "clone3": (435, 435),
    "close": (3, 57),
    "close_range": (436, 436),
    "delete_module": (176, 106),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait": (281, 22),
    "epoll_wait": (232, None),
    "eventfd2": (290, 19),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "fcntl": (72, 25),
    "finit_module": (313, 273),
    "fsopen": (430, 430),
    "fstat": (5, 80),
    "futex": (202, 98),
    "getcpu": (309, 168),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getgroups": (115, 158),
    "getitimer": (36, 102),
    "getpeername": (52, 205),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getpriority": (140, 141),
    "getrandom": (318, 278),
    "getresgid": (120, 150),
    "getresuid": (118, 148),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getsid": (124, 156),
    "getsockname": (51, 204),
    "getsockopt": (55, 209),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "lseek": (8, 62),
    "lstat": (6, None),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, None),
    "open_tree": (428, 428),
    "openat": (257, 56),
    "openat2": (437, 437),
    "pause": (34, None),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "pivot_root": (155, 41),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "prlimit64": (302, 261),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pselect6": (270, 72),
    "ptrace": (101, 117),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "reboot": (169, 142),
    "recvfrom": (45, 207),
    "restart_syscall": (219, 128),
    "rseq": (334, 293),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124),
    "select": (23, None),
    "sendto": (44, 206),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "setitimer": (38, 103),
    "setns": (308, 268),
    "shutdown": (48, 210),
    "sigaltstack": (131, 132),
    "socketpair": (53, 199),
    "stat": (4, None),
    "statx": (332, 291),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "tgkill": (234, 131),
    "time": (201, None),
    "times": (100, 153),
    "umount2": (166, 39),
    "uname": (63, 160),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "write": (1, 64),
    "writev": (20, 66),
    # used by the jail itself before the filter closes
    "capset": (126, 91),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "seccomp": (317, 277),
}

ALLOWED = (
    # most frequent first: the kernel walks the filter from the top
    "recvfrom sendto read write futex mmap munmap brk madvise mprotect mremap setitimer rt_sigaction "
    "rt_sigprocmask rt_sigreturn close newfstatat fstat stat lstat statx lseek clock_gettime poll ppoll "
    "readv writev pread64 getdents64 readlink readlinkat access faccessat faccessat2 getcwd close_range "
    "rt_sigpending rt_sigtimedwait rt_sigsuspend pause sigaltstack dup dup2 dup3 pipe pipe2 select pselect6 "
    "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 shutdown getsockname getpeername "
    "getsockopt set_robust_list rseq set_tid_address getcpu sched_yield sched_getaffinity "
    "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getpid getppid gettid "
    "getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid uname "
    "getrusage times getpriority prlimit64 getrlimit clock_getres clock_nanosleep nanosleep "
    "gettimeofday time getitimer alarm getrandom restart_syscall exit exit_group "
    "open openat fcntl socketpair clone kill tgkill"
).split()
"""Calls that may pass; some only with certain arguments, see `seccomp.CHECKS`."""

MISSING = ("clone3", "openat2")
"""Answered as if the kernel were older (their arguments lie in memory, out of the filter's sight):
the C library then falls back to `clone` and `openat`, which can be checked."""

FATAL = (
    "ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp bpf perf_event_open "
    "io_uring_setup io_uring_enter io_uring_register userfaultfd unshare setns mount umount2 move_mount "
    "fsopen open_tree mount_setattr pivot_root chroot init_module finit_module delete_module kexec_load "
    "kexec_file_load reboot swapon swapoff keyctl"
).split()
"""No program of an agent has a reason for these: the process ends. All other calls fail with EPERM."""


def number(name: str, machine: str) -> int | None:
    """The call's number on a machine, or None where it does not exist."""
    return _NUMBERS[name][0 if machine == "x86_64" else 1]
