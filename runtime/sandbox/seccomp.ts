import { type Arch, AUDIT_ARCH, CALLS, LAST_KNOWN_CALL, NEVER, UNCOUNTED } from "./syscalls.ts";

export type FilterOptions = {
  arch: Arch;
  /** May links be made? No where a folder of the host is writable: the host could trip on them. */
  links: boolean;
  /** May it speak to what listens inside, and to its gateway? The network there is its own, with nothing else on it. */
  net?: boolean;
};

/**
 * The filter that every sandboxed process starts with, as classic BPF bytes for seccomp(2). No family of sockets exists
 * inside: a network right is served by the host, not by the kernel. Only a command that has one gets those that lead to its gateway.
 */
export function seccompFilter({ arch, links, net = false }: FilterOptions): Uint8Array<ArrayBuffer> {
  const calls = CALLS[arch];
  const rules = [
    ...NEVER.map((name) => always(calls[name], EPERM)),
    ...(links ? [] : ["link", "symlink", "linkat", "symlinkat"].map((name) => always(calls[name], EPERM))),
    // Their arguments are in memory, out of a filter's sight. libc falls back to clone and openat.
    ...["clone3", "openat2", ...UNCOUNTED].map((name) => always(calls[name], ENOSYS)),
    when(calls.clone, [...ifAnyBit(0, CLONE_NEW), EPERM]),
    when(
      calls.ioctl,
      TERMINAL_CALLS.flatMap((request) => [...ifEqual(0, 1, request, 1), EPERM]),
    ),
    net
      ? when(calls.socket, [...ifNone(0, [AF_UNIX, AF_INET, AF_INET6]), EAFNOSUPPORT])
      : always(calls.socket, EAFNOSUPPORT),
    // A pair that is not connected for good could send to any path: the address is in memory, out of sight.
    when(calls.socketpair, [
      ...[...unlessEqual(0, AF_UNIX), EAFNOSUPPORT],
      ...[...unlessEqual(1, SOCK_STREAM, SOCK_TYPE), EAFNOSUPPORT],
    ]),
    ...setIdRules(calls),
  ];
  return assemble([...head(arch), ...rules.flat(), ALLOW]);
}

/** What a worker adds to itself before it loads a module: no new program, no new process; threads go on working. */
export function noExecFilter(arch: Arch): Uint8Array<ArrayBuffer> {
  const calls = CALLS[arch];
  const rules = [
    ...["execve", "execveat", "fork", "vfork"].map((name) => always(calls[name], EPERM)),
    when(calls.clone, [...unlessBit(0, CLONE_THREAD), EPERM]),
  ];
  return assemble([...head(arch), ...rules.flat(), ALLOW]);
}

/** What the gateway's forwarder lays on the command before it starts it: sockets that have a path could be anyone's. */
export function noUnixFilter(arch: Arch): Uint8Array<ArrayBuffer> {
  const { socket } = CALLS[arch];
  return assemble([...head(arch), ...when(socket, [...ifEqual(0, 1, AF_UNIX, 0), EAFNOSUPPORT]), ALLOW]);
}

type Instruction = { code: number; jt: number; jf: number; k: number };

const RETURN = 0x06;
const ret = (k: number): Instruction => ({ code: RETURN, jt: 0, jf: 0, k });
const ALLOW = ret(0x7fff0000);
const KILL = ret(0x80000000);
const errno = (number: number) => ret(0x00050000 | number);
const EPERM = errno(1);
const ENOSYS = errno(38);
const EAFNOSUPPORT = errno(97);

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
/** The other bits are SOCK_CLOEXEC and SOCK_NONBLOCK. The kernel looks at these four. */
const SOCK_TYPE = 0xf;
const CLONE_THREAD = 0x00010000;
const CLONE_NEW = 0x7e020000;
const TERMINAL_CALLS = [0x5412, 0x541c, 0x5423]; // TIOCSTI types into a terminal, TIOCLINUX, TIOCSETD
const SET_ID_BITS = 0o6000;
const CREATES = 0o100 | 0o20000000; // O_CREAT, __O_TMPFILE: only then is the mode an argument

const load = (offset: number): Instruction => ({ code: 0x20, jt: 0, jf: 0, k: offset });
const jump = (code: number, k: number, jt: number, jf: number): Instruction => ({ code, jt, jf, k });
const AND = 0x54;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
/** struct seccomp_data: nr, arch, ip (8), six arguments of 8 bytes; both machines are little-endian. */
const argument = (index: number) => load(16 + 8 * index);

function head(arch: Arch): Instruction[] {
  const x32 = arch === "x64" ? [jump(AT_LEAST, 0x40000000, 0, 1), KILL] : [];
  const unknown = [jump(AT_LEAST, LAST_KNOWN_CALL + 1, 0, 1), ENOSYS];
  return [load(4), jump(EQUAL, AUDIT_ARCH[arch], 1, 0), KILL, load(0), ...x32, ...unknown];
}

function always(call: number | undefined, verdict: Instruction): Instruction[] {
  return call === undefined ? [] : [jump(EQUAL, call, 0, 1), verdict];
}

/** Runs `body` for one call. The number is loaded again after it, because the body loads arguments over it. */
function when(call: number | undefined, body: readonly Instruction[]): Instruction[] {
  return call === undefined ? [] : [jump(EQUAL, call, 0, body.length + 1), ...body, load(0)];
}

/** Each test lets the next instruction (a verdict) happen, or skips it. */
const ifAnyBit = (index: number, bits: number) => [argument(index), jump(ANY_BIT, bits, 0, 1)];
const unlessBit = (index: number, bit: number) => [argument(index), jump(ANY_BIT, bit, 1, 0)];
const unlessEqual = (index: number, value: number, mask?: number) => [
  argument(index),
  ...(mask === undefined ? [] : [jump(AND, mask, 0, 0)]),
  jump(EQUAL, value, 1, 0),
];
const ifNone = (index: number, values: readonly number[]) => [
  argument(index),
  ...values.map((value, n) => jump(EQUAL, value, values.length - n, 0)),
];
const ifEqual = (jt: number, jf: number, value: number, index: number) => [argument(index), jump(EQUAL, value, jt, jf)];

/** Nobody plants a set-user-id file for the host: neither by chmod nor at creation. */
function setIdRules(calls: Readonly<Record<string, number>>): Instruction[][] {
  const changed = Object.entries({ chmod: 1, fchmod: 1, creat: 1, fchmodat: 2, fchmodat2: 2 });
  const opened = Object.entries({ open: 1, openat: 2 });
  return [
    ...changed.map(([name, mode]) => when(calls[name], [...ifAnyBit(mode, SET_ID_BITS), EPERM])),
    ...opened.map(([name, flags]) =>
      when(calls[name], [argument(flags), jump(ANY_BIT, CREATES, 0, 3), ...ifAnyBit(flags + 1, SET_ID_BITS), EPERM]),
    ),
  ];
}

function assemble(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, jt, jf, k }, index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, jt);
    view.setUint8(index * 8 + 3, jf);
    view.setUint32(index * 8 + 4, k >>> 0, true);
  });
  return bytes;
}
