import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_SANDBOX_PLATFORM: "hooks can be sandboxed on Linux only",
  E_SANDBOX_NO_BWRAP: "bubblewrap is not there, or not the system's own",
  E_SANDBOX_NO_PROGRAM: "a program that the sandbox needs is not there, or not the system's own",
  E_SANDBOX_NO_USERNS: "this system does not let bubblewrap make a namespace",
  E_SANDBOX_SECCOMP: "the sandbox's system call filter does not hold",
  E_SANDBOX_LEAK: "the sandbox lets something through that it must not",
  E_SANDBOX_START: "the sandbox could not be started",
});
