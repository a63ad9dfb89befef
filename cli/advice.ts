/** What mends a fault, one line a code. A test holds that every declared code has its line. */
const ADVICE: Readonly<Record<string, string>> = {
  E_USAGE: "hookpkg COMMAND --help shows how it is called",
  E_COMMAND_UNKNOWN: "hookpkg --help lists the commands",
  E_NO_TERMINAL: "run it at a terminal, or give the flag that answers the question",
  E_INTERRUPTED: "run the command again when you are ready",
  E_INTERNAL: "this is a mistake in hookpkg: please report it with the command that you ran",
  E_DECLINED: "run the command again to be asked again",
  E_OFFLINE: "leave --offline out",
  E_NEW_FOLDER: "name a folder that is not there, or an empty one",
  E_CASES_NONE: "add one call it must cancel and one it must let pass to test/cases/",
  E_CASES_FAILED: "hookpkg test shows what each case wanted and got",
  E_KEYGEN_EXISTS: "use it, or move the file away first",
  E_PUBLISH_NO_KEY: "hookpkg keygen --scope @SCOPE makes one; --key FILE names another",
  E_PUBLISH_UNCLAIMED: "hookpkg scope claim @SCOPE --registry URL",
  E_PUBLISH_SCOPE_TAKEN: "choose another scope, or use the keys that claimed it",
  E_PUBLISH_KEY: "--key FILE names another key; the scope's owner can delegate to this one",
  E_PUBLISH_DIFFERS: "raise the version in hookpkg.json",
  E_REGISTRY_CHANGED: "ask who runs it whether its key was changed; do not go on before you know",
  E_VERIFY_ROOT: "ask who runs it for the root digest; this may be another server",
  E_SPLIT_VIEW: "keep the evidence file and show it to who runs the registry",
  E_CASES_OPTION: "look at options in hookpkg.json",
  E_CASES_ORDER: "look at before and after in hooks/hooks.json",
};

export function adviceFor(code: string): string | undefined {
  return ADVICE[code];
}
