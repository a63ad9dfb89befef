/** What an archive may be at most (docs: publish). Sizes are of the tar itself, paths without the top folder `package/`. */
export const LIMITS = {
  MAX_TAR_BYTES: 20 * 1024 * 1024,
  MAX_ENTRIES: 2000,
  MAX_DEPTH: 16,
  MAX_PATH_BYTES: 240,
  MAX_SEGMENT_BYTES: 100,
} as const;
