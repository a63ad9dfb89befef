/** A table of codes is declared when its package is loaded: this loads them all, the registry's too. */
export async function loadEveryFault(): Promise<void> {
  await Promise.all([
    import("@hookpkg/spec"),
    import("@hookpkg/identity"),
    import("@hookpkg/archive"),
    import("@hookpkg/signing"),
    import("@hookpkg/log"),
    import("@hookpkg/protocol"),
    import("@hookpkg/hosts"),
    import("@hookpkg/sdk"),
    import("@hookpkg/runtime"),
    import("@hookpkg/registry"),
  ]);
}
