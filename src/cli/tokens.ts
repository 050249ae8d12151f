/** Formats access tokens for people. */
import type { IssuedToken } from '../app/tokens/change.js';
import { shorten } from '../base/text.js';
import type { TokenRecord } from '../codec/api-tokens.js';
import { listed, pairs } from './table.js';
import { paint } from './text.js';

export const issuedLines = ({ name, role, token }: IssuedToken): string[] => [
  ...pairs([
    ['name', name],
    ['role', role],
    ['token', token],
  ]),
  `${paint.out('yellow', '!')} it is not shown again${name === 'api' ? '; it is in api.token' : ''}`,
];

const stateText = (state: TokenRecord['state']): string => paint.out(state === 'active' ? 'green' : 'grey', state);

export const tokenLines = ({ name, role, state, approver, may_execute, created_at, changed_at }: TokenRecord): string[] =>
  pairs([
    ['name', name],
    ['role', role],
    ['state', stateText(state)],
    ['approver', approver ?? null],
    ['executes', may_execute === true ? 'its missions, one at a time' : null],
    ['created', created_at],
    ['changed', changed_at],
  ]);

const name_columns_min = 12;
const name_columns_max = 32;

export function tokenTable(items: readonly TokenRecord[]): string[] {
  const width = Math.max(name_columns_min, ...items.map(({ name }) => Math.min(name.length, name_columns_max)));
  const isBound = items.some(({ approver }) => approver !== undefined);
  return listed(
    { token: width, role: 8, state: 7, changed: 27, ...(isBound ? { approver: 0 } : {}) },
    items.map(({ name, role, state, changed_at, approver = '' }) => {
      const shown = [shorten(name, width), role, stateText(state), changed_at ?? 'never'];
      return isBound ? [...shown, approver] : shown;
    }),
  );
}
