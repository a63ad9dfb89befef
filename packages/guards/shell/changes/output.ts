import { given, optionsOf } from "../options.ts";
import { changes, type Rule, type Rules } from "./rule.ts";

/** Programs that write a file named by an option, or unpack into a folder. */
export const outputs: Rules = {
  curl: ({ args }) => {
    const options = optionsOf(args, {
      letters: "oXdHFuAeTbcmDK",
      names: ["output", "request", "data", "header", "dump-header", "cookie-jar"],
    });
    const named = [
      given(options, "-o", "--output"),
      given(options, "-D", "--dump-header"),
      given(options, "-c", "--cookie-jar"),
    ];
    const isByUrl = options.flags.has("-O") || options.flags.has("--remote-name");
    const byUrl = isByUrl ? options.operands.map((url) => url.split(/[?#]/)[0]?.split("/").pop() ?? "") : [];
    return changes("write", [...named.flatMap((path) => path ?? []), ...byUrl]);
  },
  wget: byOption(["-O", "--output-document"], "OoPT", ["output-document"]),
  gpg: byOption(["-o", "--output"], "or", ["output", "recipient"]),
  gpg2: byOption(["-o", "--output"], "or", ["output", "recipient"]),
  age: byOption(["-o", "--output"], "orRi", ["output"]),
  sort: byOption(["-o", "--output"], "okSTt", ["output", "key"]),
  "ssh-keygen": ({ args }) => {
    const isReading = args.some((arg) => /^-[lyFBLQ]/.test(arg));
    return isReading ? [] : changes("write", afterWord(args, /^-f$/));
  },
  openssl: ({ args }) => changes("write", afterWord(args, /^-(out|keyout|CAserial|writerand)$/)),
  keytool: ({ args }) =>
    args.some((arg) => /^-(list|printcert|exportcert|export)$/.test(arg))
      ? []
      : changes("write", afterWord(args, /^-(keystore|destkeystore)$/)),
  tar: ({ args }) => {
    const isUnpacking = /^-?[a-zA-Z]*x/.test(args[0] ?? "") || args.some((arg) => /^(-x|--extract|--get)$/.test(arg));
    const options = optionsOf(
      args.map((arg, index) => (index === 0 && !arg.startsWith("-") ? `-${arg}` : arg)),
      { letters: "fC", names: ["file", "directory", "exclude"] },
    );
    if (isUnpacking) return changes("write", [given(options, "-C", "--directory") ?? ".", ...options.operands]);
    const archive = given(options, "-f", "--file");
    const taken = options.flags.has("--remove-files") ? options.operands : [];
    return [
      ...changes("write", archive === undefined || archive === "-" ? [] : [archive]),
      ...changes("delete", taken),
    ];
  },
  unzip: ({ args }) => changes("write", afterWord(args, /^-d$/)),
  zip: ({ args }) => changes("write", optionsOf(args).operands.slice(0, 1)),
  gzip: compressed,
  bzip2: compressed,
  xz: compressed,
};

/** They replace the file by a packed one, unless told to keep it or to print. */
function compressed({ args }: Parameters<Rule>[0]): ReturnType<Rule> {
  return args.some((arg) => /^(-\w*[cklt]\w*|--(stdout|keep|list|test))$/.test(arg))
    ? []
    : changes("delete", optionsOf(args).operands);
}

function byOption(flags: readonly string[], letters: string, names: readonly string[]): Rule {
  return ({ args }) => {
    const path = given(optionsOf(args, { letters, names }), ...flags);
    return path === undefined ? [] : changes("write", [path]);
  };
}

function afterWord(args: readonly string[], word: RegExp): string[] {
  return args.flatMap((arg, index) => (word.test(arg) ? (args[index + 1] ?? []) : []));
}
