/** Formats approvers for people: a fingerprint stands beside each key. */
import type { ApproverDocument, ApproverList } from '../codec/api-approvers.js';
import { printable } from '../base/text.js';
import { pairs } from './table.js';
import { paint } from './text.js';

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

export const approverTable = ({ items }: ApproverList): string[] =>
  items.length === 0
    ? ['no approvers', '', 'next: agent-cli approver add NAME --key FILE.pub']
    : items.flatMap((approver) => {
        const title = approver.title === null ? '' : `  ${printable(approver.title)}`;
        const keys = approver.keys.filter(({ removed_at }) => removed_at === null);
        return [
          `${paint.out('bold', approver.name)}${title}  ${stateText(approver)}`,
          ...keys.map((key) => `  ${key.kind.padEnd(7)}  ${key.fingerprint}`),
        ];
      });
