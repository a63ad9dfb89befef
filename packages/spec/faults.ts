import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_JSON: "this is not JSON",
  E_JSON_TOO_LARGE: "this JSON document is too large",
  E_JSON_TOO_DEEP: "this JSON document is nested too deeply",
  E_JSON_DUPLICATE_KEY: "a key stands twice in one JSON object",
  E_TOML: "this is not TOML",
  E_JSON_NOT_UTF8: "this is not UTF-8 text",
  E_CANONICAL: "this document is not in canonical form",
  E_CANONICAL_NUMBER: "only integers up to 2^53-1 may stand in a signed document",
  E_NAME: "this is not a package name",
  E_SCOPE: "this is not a scope",
  E_NAME_RESERVED: "this name is reserved",
  E_VERSION: "this is not a version",
  E_RANGE: "this is not a version range",
  E_DIGEST: "this is not a sha256 digest",
  E_INTEGRITY: "this is not one sha512 integrity",
  E_PACKAGE_INVALID: "the package has faults",
  E_PROJECT_FILE: "the project file has faults",
  E_LOCK_FILE: "the lock has faults",
  E_STATE_FILE: "a file of hookpkg's own has faults",
  E_PAYLOAD: "the event is not one that hookpkg knows how to read",
});
