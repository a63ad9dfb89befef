import { has, optionsOf } from "@guards/shell";
import { isOnlyAsking, type Rule, type Rules } from "../rule.ts";

/** What stops the machine or everything on it. */
export const processes: Rules = {
  kill: ({ args }) =>
    args.slice(1).some((arg) => arg === "-1") ? "kill would end every process that you have" : undefined,
  killall5: () => "killall5 would end every process",
  pkill: matching,
  killall: matching,
  skill: matching,
  shutdown: stopping(/^(-c|-k|--show)$/),
  reboot: stopping(/^(-w|--wtmp-only)$/),
  halt: stopping(/^(-w|--wtmp-only)$/),
  poweroff: stopping(/^(-w|--wtmp-only)$/),
  init: level,
  telinit: level,
  systemctl: service,
  userdel: ({ args }) =>
    has(optionsOf(args), "rf", "remove", "force") ? "userdel would delete a home folder" : undefined,
  deluser: ({ args }) =>
    args.some((arg) => /^--remove-(home|all-files)$/.test(arg)) ? "deluser would delete a home folder" : undefined,
};

function matching({ name, args }: Parameters<Rule>[0]): string | undefined {
  const letters = name === "pkill" ? "uUGPgtsF" : "usnZoy";
  const plain = args.filter((arg) => !/^-(\d+|[A-Z]{2,}\d?)$/.test(arg));
  const options = optionsOf(plain, { letters, names: ["user", "euid", "uid", "signal"] });
  const isOfUser = ["-u", "-U", "--user", "--euid", "--uid"].some((flag) => options.flags.has(flag));
  const isAll = options.operands.some((pattern) => /^[.^*$]*$/.test(pattern));
  if (!isAll && !(isOfUser && options.operands.length === 0)) return undefined;
  return `${name} would end every process ${isOfUser ? "of a user" : "that it may"}`;
}

function stopping(unless: RegExp): Rule {
  return ({ name, args }) =>
    isOnlyAsking(args) || args.some((arg) => unless.test(arg)) ? undefined : `${name} would stop the machine`;
}

function level({ name, args }: Parameters<Rule>[0]): string | undefined {
  return args.some((arg) => /^[016sS]$/.test(arg)) ? `${name} would stop the machine` : undefined;
}

function service({ args }: Parameters<Rule>[0]): string | undefined {
  const { operands } = optionsOf(args, { letters: "tpMHns" });
  const verb = operands[0] ?? "";
  const isStopping = /^(poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot)$/.test(verb);
  const isIsolating = verb === "isolate" && /^(poweroff|reboot|halt|rescue|emergency)/.test(operands[1] ?? "");
  return isStopping || isIsolating ? `systemctl ${verb} would stop the machine` : undefined;
}
