/** Tokens in a temporary home. */
import { readFileSync } from 'node:fs';
import { createToken, rotateToken } from '../../../src/app/tokens/change.js';
import type { Home } from '../../../src/app/home/home.js';
import type { Refusal } from '../../../src/base/refusal.js';
import { RefusalError } from '../../../src/base/result.js';
import type { TokenRole } from '../../../src/codec/events/token.js';
import type { TemporaryHome } from './temporary-home.js';

/** Opens the home for one piece of work and closes it when that is done. */
export async function working(temporary: TemporaryHome, work: (home: Home) => Promise<void>): Promise<void> {
  const home = temporary.open();
  try {
    await work(home);
  } finally {
    home.close();
  }
}

/** The text of a new token. */
export const created = async (home: Home, name: string, role: TokenRole = 'viewer'): Promise<string> =>
  (await createToken(home, name, role, 'operator')).token;
export const rotated = async (home: Home, name: string): Promise<string> => (await rotateToken(home, name, 'operator')).token;

export const fileToken = ({ paths }: Pick<Home, 'paths'>): string => readFileSync(paths.apiToken, 'latin1');

/** What a call refuses by throwing; null when it passes. */
export function thrownBy(call: () => unknown): Refusal | null {
  try {
    call();
    return null;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
}
