/** The text of an access token: 32 random bytes in base64url (RFC 4648, section 5), 43 characters. */
import { randomBytes } from 'node:crypto';

const token_bytes = 32;
const token_chars = 43;
const form = /^[A-Za-z0-9_-]*$/;

export const newToken = (): string => randomBytes(token_bytes).toString('base64url');
export const isTokenText = (text: string): boolean => text.length === token_chars && form.test(text);
