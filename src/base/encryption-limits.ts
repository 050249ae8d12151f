/** Limits of encrypted backups. */

/** Base-2 logarithm of the cost of scrypt for an encrypted backup, as age writes it and at most when one is read. */
export const age_work_factor = 18;
export const age_work_factor_max = 20;
/** More than the header of a file that age encrypted with a passphrase. */
export const age_header_bytes_max = 1_024;
/** More than what age adds to the largest archive: the header, and 16 bytes for each 64 KiB. */
export const age_overhead_bytes_max = 131_072;
export const passphrase_bytes_max = 1_024;
/** The shortest passphrase of a new backup (NIST SP 800-63B, 5.1.1.1). */
export const passphrase_chars_min = 8;
