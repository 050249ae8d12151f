/** What a sweep says in words: the table of docs/journal-format.md, and the misses. */
import type { Change } from './change.js';
import { finders, type Finder } from './group.js';
import { groupNames, groupOf } from './groups.js';
import type { Tried } from './trial.js';

const began = '<!-- sweep:begin -->';
const ended = '<!-- sweep:end -->';

const finderInWords = (finder: Finder): string => (finder.startsWith('verify') ? `\`${finder}\`` : finder);

/** Returns the table of what is found by what, in the order of the finders. */
export function formatTable(): string {
  const rows = finders.flatMap((finder) =>
    groupNames
      .map(groupOf)
      .filter((group) => group.finder === finder)
      .map(({ change, note = '' }) => `| ${change} | ${finderInWords(finder)} | ${note} |`),
  );
  return ['| Change | Found at the latest by | Notes |', '|---|---|---|', ...rows].join('\n');
}

/** Returns the text between the markers of a page, or null. */
export function tableIn(page: string): string | null {
  const [start, end] = [page.indexOf(began), page.indexOf(ended)];
  return start < 0 || end < start ? null : page.slice(start + began.length, end).trim();
}

export const withTable = (page: string, table: string): string =>
  `${page.slice(0, page.indexOf(began) + began.length)}\n${table}\n${page.slice(page.indexOf(ended))}`;

/** Returns a table of the misses: each change with what commands did wrong, and which. Empty when there are none. */
export function formatMisses(changes: readonly Change[], tried: readonly Tried[]): string {
  const missed = tried.flatMap(({ name, misses }, i) =>
    misses.length === 0 ? [] : [{ name, misses, group: changes[i]!.group }],
  );
  return groupNames
    .map((group) => ({ group, members: missed.filter((each) => each.group === group) }))
    .filter(({ members }) => members.length > 0)
    .flatMap(({ group, members }) => [
      `${group} (${groupOf(group).finder}): ${members.length} missed`,
      ...members.flatMap(({ name, misses }) => [`  ${name}`, ...gathered(misses).map((line) => `    ${line}`)]),
    ])
    .join('\n');
}

/** Lists commands that did the same behind one description. */
function gathered(misses: readonly string[]): readonly string[] {
  const byFault = new Map<string, string[]>();
  for (const miss of misses) {
    const [, probe = '', fault = ''] = /^(.*?): (.*)$/s.exec(miss) ?? [];
    // What was printed differs between commands that do the same wrong.
    const what = fault.replace(/(\(exit 0\)) .*/s, '$1');
    byFault.set(what, [...(byFault.get(what) ?? []), probe]);
  }
  return [...byFault].map(([fault, names]) => `${names.join(', ')}: ${fault}`);
}
