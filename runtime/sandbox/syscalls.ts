export type Arch = "x64" | "arm64";

/** AUDIT_ARCH_* of linux/audit.h. */
export const AUDIT_ARCH: Record<Arch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Newer calls are unknown to this list, so they do not exist inside (ENOSYS): 462 is mseal, Linux 6.10. */
export const LAST_KNOWN_CALL = 462;

/** Kernel numbers by name; a call that an architecture does not have is absent. Source: asm/unistd_64.h, asm-generic/unistd.h. */
export const CALLS: Record<Arch, Readonly<Record<string, number>>> = {
  x64: numbers(`
    open 2 ioctl 16 shmget 29 socket 41 socketpair 53 clone 56 fork 57 vfork 58 execve 59 semget 64 msgget 68 creat 85 link 86 symlink 88 chmod 90 fchmod 91
    ptrace 101 syslog 103 mknod 133 uselib 134 personality 135 sysfs 139 vhangup 153 modify_ldt 154 pivot_root 155 _sysctl 156
    adjtimex 159 chroot 161 acct 163 settimeofday 164 mount 165 umount2 166 swapon 167 swapoff 168 reboot 169 sethostname 170
    setdomainname 171 iopl 172 ioperm 173 init_module 175 delete_module 176 quotactl 179 nfsservctl 180 lookup_dcookie 212
    clock_settime 227 kexec_load 246 add_key 248 request_key 249 keyctl 250 migrate_pages 256 openat 257 mknodat 259 linkat 265
    symlinkat 266 fchmodat 268 unshare 272 move_pages 279 perf_event_open 298 fanotify_init 300 fanotify_mark 301
    name_to_handle_at 303 open_by_handle_at 304 clock_adjtime 305 setns 308 process_vm_readv 310 process_vm_writev 311 kcmp 312
    finit_module 313 kexec_file_load 320 memfd_create 319 bpf 321 execveat 322 userfaultfd 323 io_uring_setup 425 io_uring_enter 426
    io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 clone3 435 openat2 437
    pidfd_getfd 438 process_madvise 440 mount_setattr 442 quotactl_fd 443 memfd_secret 447 process_mrelease 448 fchmodat2 452`),
  arm64: numbers(`
    lookup_dcookie 18 ioctl 29 mknodat 33 symlinkat 36 linkat 37 umount2 39 mount 40 pivot_root 41 nfsservctl 42 chroot 51
    fchmod 52 fchmodat 53 openat 56 vhangup 58 quotactl 60 acct 89 personality 92 unshare 97 kexec_load 104 init_module 105
    delete_module 106 clock_settime 112 syslog 116 ptrace 117 reboot 142 sethostname 161 setdomainname 162 settimeofday 170
    adjtimex 171 msgget 186 semget 190 shmget 194 socket 198 socketpair 199 add_key 217 request_key 218 keyctl 219 clone 220 execve 221 swapon 224 swapoff 225
    migrate_pages 238 move_pages 239 perf_event_open 241 fanotify_init 262 fanotify_mark 263 name_to_handle_at 264
    open_by_handle_at 265 clock_adjtime 266 setns 268 process_vm_readv 270 process_vm_writev 271 kcmp 272 finit_module 273
    memfd_create 279 bpf 280 execveat 281 userfaultfd 282 kexec_file_load 294 io_uring_setup 425 io_uring_enter 426 io_uring_register 427
    open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 clone3 435 openat2 437 pidfd_getfd 438
    process_madvise 440 mount_setattr 442 quotactl_fd 443 memfd_secret 447 process_mrelease 448 fchmodat2 452`),
};

/** Refused with EPERM whatever their arguments: mounts, namespaces, other processes, keys, kernel interfaces, clocks, nodes. */
export const NEVER: readonly string[] = `
  mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
  ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise process_mrelease move_pages migrate_pages
  keyctl add_key request_key bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register memfd_secret
  open_by_handle_at name_to_handle_at fanotify_init fanotify_mark mknod mknodat
  kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff acct quotactl quotactl_fd syslog
  settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup
  iopl ioperm modify_ldt personality uselib sysfs _sysctl nfsservctl lookup_dcookie`
  .trim()
  .split(/\s+/);

/** Memory that belongs to no process, so that nobody would count it: to a program inside, a kernel without these calls. */
export const UNCOUNTED: readonly string[] = ["memfd_create", "shmget", "msgget", "semget"];

function numbers(table: string): Record<string, number> {
  const words = table.trim().split(/\s+/);
  const calls: Record<string, number> = {};
  for (let at = 0; at < words.length; at += 2) calls[words[at] ?? ""] = Number(words[at + 1]);
  return calls;
}
