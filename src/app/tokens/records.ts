/** Tokens as commands print them: names, roles and times, never the token's text. */
import { RefusalError } from '../../base/result.js';
import { builtIn, type Token } from '../../domain/token.js';
import type { TokenList, TokenRecord } from '../../codec/api-tokens.js';
import { recordedTokens } from '../../rows/tools.js';
import type { Home } from '../home/home.js';

/** Lists the built-in token first, then the others by name, including revoked ones. */
export function listTokens(home: Home): TokenList {
  const { byId } = recordedTokens(home.db);
  const others = [...byId.values()].filter(({ name }) => name !== builtIn.name).map(recordOf);
  const first = {
    ...builtIn,
    state: 'active',
    created_at: null,
    changed_at: byId.get(builtIn.name)?.changed_at ?? null,
  } as const;
  return { items: [first, ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1))] };
}

const recordOf = ({ name, role, state, created_at, changed_at }: Token): TokenRecord => ({
  name,
  role,
  state,
  created_at,
  changed_at,
});

/** Returns the record of a token. @throws RefusalError `not_found` */
export function tokenRecord(home: Home, name: string): TokenRecord {
  const found = listTokens(home).items.find((item) => item.name === name);
  if (found === undefined)
    throw new RefusalError({ code: 'not_found', detail: 'there is no such token', hint: 'agent-cli token list' });
  return found;
}

/** Returns the number of active named tokens. */
export const activeNamed = (tokens: ReadonlyMap<string, Token>): number =>
  [...tokens.values()].filter(({ name, state }) => name !== builtIn.name && state === 'active').length;
