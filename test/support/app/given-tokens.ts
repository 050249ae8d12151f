/** Tokens in a temporary home. */
import { readFileSync } from 'node:fs';
import { createToken, rotateToken } from '../../../src/app/tokens/change.js';
import type { Home } from '../../../src/app/home/home.js';
import type { TokenRole } from '../../../src/codec/events/token.js';

/** The text of a new token. */
export const created = async (home: Home, name: string, role: TokenRole = 'viewer'): Promise<string> =>
  (await createToken(home, name, role, 'operator')).token;
export const rotated = async (home: Home, name: string): Promise<string> => (await rotateToken(home, name, 'operator')).token;

export const fileToken = ({ paths }: Pick<Home, 'paths'>): string => readFileSync(paths.apiToken, 'latin1');
