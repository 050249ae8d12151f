/** Formats approvers for people: a fingerprint stands beside each key. */
import type { ApproverDocument, ApproverList } from '../codec/api-approvers.js';
import { printable } from '../base/text.js';
import { fit } from '../pictures/columns.js';
import { pairs, screen } from './table.js';
import { paint, width } from './text.js';

const stateText = ({ state, keys }: ApproverDocument): string => {
  const active = keys.filter(({ removed_at }) => removed_at === null).length;
  return state === 'removed' ? paint.out('grey', state) : `${active} ${active === 1 ? 'key' : 'keys'}`;
};

export function approverLines(approver: ApproverDocument): string[] {
  const { name, title, keys, created_at, changed_at } = approver;
  return [
    ...pairs([
      ['approver', name],
      ['title', title === null ? null : printable(title)],
      ['state', stateText(approver)],
      ['added', created_at],
      ['changed', changed_at],
    ]),
    ...keys.map(({ kind, fingerprint, removed_at, reason }) => {
      const removed = removed_at === null ? '' : `  removed ${removed_at.slice(0, 10)}: ${printable(reason ?? '')}`;
      return `${kind.padEnd(7)}  ${fingerprint}${removed === '' ? '' : paint.out('grey', removed)}`;
    }),
  ];
}

/** Beside name and title: two gaps, and the number of keys or `removed`. */
const other_columns = 11;
const title_columns_min = 8;

export const approverTable = ({ items }: ApproverList): string[] =>
  items.length === 0
    ? ['no approvers', '', 'next: agent-cli approver add NAME --key FILE.pub']
    : items.flatMap((approver) => {
        const room = Math.max(title_columns_min, width() - approver.name.length - other_columns);
        const title = approver.title === null ? '' : `  ${fit(printable(approver.title), room, screen().glyphs.more)}`;
        const keys = approver.keys.filter(({ removed_at }) => removed_at === null);
        return [
          `${paint.out('bold', approver.name)}${title}  ${stateText(approver)}`,
          ...keys.map((key) => `  ${key.kind.padEnd(7)}  ${key.fingerprint}`),
        ];
      });
