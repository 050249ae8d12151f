/** Access tokens: read from the request, and compared by their SHA-256 in a time that says nothing about them. */
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/hash.js';
import type { Actor } from '../actor.js';
import { valuesOf, type RawHeaders } from '../wire/headers.js';

export interface StoredToken extends Actor {
  /** 32 bytes. */
  readonly sha256: Uint8Array;
}

/** Whose token `bearer` is. Every stored token is compared, found or not. */
export function matchToken(bearer: string, stored: Iterable<StoredToken>): Actor | null {
  const given = sha256(bearer);
  let actor: Actor | null = null;
  for (const { sha256: known, name, role } of stored) {
    if (timingSafeEqual(given, known)) actor = { name, role };
  }
  return actor;
}

const bearerForm = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of the one Authorization field (RFC 6750, section 2.1); null for none; an empty text for anything else. */
export function bearerOf(raw: RawHeaders): string | null {
  const values = valuesOf(raw, 'authorization');
  const [value] = values;
  if (value === undefined) return null;
  return values.length > 1 ? '' : (bearerForm.exec(value)?.[1] ?? '');
}
