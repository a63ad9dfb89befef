import { fileURLToPath } from "node:url";

/** Free in every run: each has a network of its own. */
export const MODEL_PORT = 4010;

/** The socket of the model, and files and folders that stand there in place of the machine's: place → what it shows. */
export type Inside = { socket: string; mounts: Readonly<Record<string, string>> };

/**
 * The command line that runs another in its own network, process and mount namespaces, where nothing is reached but the
 * model and everything started there dies with the first process. Not bubblewrap: the sandbox under test starts inside.
 */
export function inNamespace({ socket, mounts }: Inside, command: string[]): string[] {
  const kinds = ["--net", "--pid", "--ipc", "--mount", "--mount-proc"];
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const bun = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install"];
  const inside = [...bun, fileURLToPath(import.meta.resolve("./inside.ts")), socket, JSON.stringify(mounts)];
  return ["unshare", ...asRoot, ...kinds, "--fork", "--kill-child", "--", ...inside, ...command];
}
