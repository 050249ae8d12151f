/** SHA-256 (FIPS 180-4) of texts and bytes. Texts are hashed as UTF-8. */
import * as crypto from 'node:crypto';

/** Returns the SHA-256 in hexadecimal, by one call into OpenSSL without a hash object. */
export const sha256Hex = (data: string | Uint8Array): string => crypto.hash('sha256', data, 'hex');

export const sha256 = (data: string | Uint8Array): Buffer => crypto.hash('sha256', data, 'buffer');
