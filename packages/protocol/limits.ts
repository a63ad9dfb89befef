/** An archive: the archive validator's own limit. */
export const MAX_BLOB_BYTES = 20 * 1024 * 1024;
/** Any JSON a registry answers. */
export const MAX_METADATA_BYTES = 16 * 1024 * 1024;
/** Any JSON a registry takes: an envelope around 256 KiB of payload, in base64, with its signatures. */
export const MAX_REQUEST_BYTES = 512 * 1024;
export const MAX_PROBLEM_BYTES = 64 * 1024;
export const MAX_METADATA_MS = 15_000;
export const MAX_BLOB_MS = 120_000;
export const MAX_RESOLVED_PACKAGES = 500;
