const MEBIBYTE = 1024 * 1024;

/** Of one file, where the operator sets no other: `SVC_FILE_MAX_BYTES`. */
export const FILE_MAX_BYTES_DEFAULT = 512 * MEBIBYTE;

/** Of an organization. */
export const FILE_COUNT_MAX = 100;
export const FILES_BYTES_MAX = 10 * 1024 * MEBIBYTE;
/** How many files an organization can upload at a time. */
export const UPLOADS_AT_ONCE_MAX = 4;

/** A file without an `expires_after` is kept for so long after its last use. */
export const FILE_KEPT_DAYS = 30;
