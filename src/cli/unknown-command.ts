/** The refusal of words that are not a command. */
import type { Refusal } from '../base/refusal.js';
import { nearest } from './nearest.js';
import { joined, unexpected } from './usage.js';

/** @param ids of the known commands, such as `token:list` */
export function unknownCommand([first = '', ...rest]: readonly string[], ids: readonly string[]): Refusal {
  const hint = 'agent-cli --help';
  if (first.startsWith('-')) return { code: 'invalid', detail: 'a command is missing: agent-cli [--home DIR] COMMAND', hint };
  const names = ids.map((id) => id.replaceAll(':', ' '));
  if (names.includes(first)) return { code: 'invalid', detail: unexpected(rest), hint: `agent-cli ${first} --help` };
  const name = names.some((known) => known.startsWith(`${first} `)) ? [first, ...rest.slice(0, 1)].join(' ') : first;
  const near = nearest(name, names);
  const meant = near.length === 0 ? '' : `; did you mean ${joined(near, 'or')}?`;
  return { code: 'not_found', detail: `there is no command ${name}${meant}`, hint };
}
