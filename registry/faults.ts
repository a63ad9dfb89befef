import { faultTable } from "@hookpkg/fault";

/** What an operator sees when the server can't start or go on. What a client is answered is in the contract. */
export const refuse = faultTable({
  E_SERVE_IN_USE: "another registry is running on this data folder",
  E_SERVE_LISTEN: "the address can't be listened on",
  E_SERVE_KEY_MISSING: "the log has entries but its key is gone",
  E_SERVE_KEY_FILE: "the log's key file is damaged",
  E_SERVE_KEY_MODE: "the log's key file can be read by others",
  E_SERVE_KEY_FOREIGN: "the database belongs to another log key",
  E_SERVE_BEHIND: "the database is behind the checkpoint that this registry published",
  E_SERVE_FORKED: "the database holds another history than the checkpoint that this registry published",
  E_SERVE_CHECKPOINT_MISSING: "the log has entries but its published checkpoint is gone",
  E_STORE_SCHEMA: "the database was made by a newer registry",
  E_STORE_STATE: "the store was asked for something that its own state rules out",
});
