/** The texts of a form that make a given work: the way back from a mission file. */
import type { Kind } from '../../../../codec/kinds.js';
import type { DraftOf } from './work.js';

type Members = Readonly<Record<string, unknown>>;

/** Returns a member as it would be typed. */
function memberText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  const list = value as readonly unknown[];
  if (list.every((each) => typeof each === 'number')) return list.join(' ');
  if (list.every((each) => typeof each === 'string')) return list.join(', ');
  return `[\n${list.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]`;
}

/**
 * Returns the draft that makes `work`.
 * @param empty an empty draft, whose lists hold an empty row
 * @param textOf what members of another form are typed as, by their name
 */
export function filled<K extends Kind>(
  empty: DraftOf<K>,
  work: Members,
  textOf: Readonly<Record<string, (value: unknown) => string>> = {},
): DraftOf<K> {
  const typed = (name: string, value: unknown): string => (textOf[name] ?? memberText)(value);
  const texts = (names: object, of: Members): Members =>
    Object.fromEntries(Object.keys(names).map((name) => [name, typed(name, of[name])]));
  const member = (name: string, blank: unknown): unknown => {
    const value = work[name];
    if (typeof blank !== 'object' || blank === null) return typed(name, value);
    if (!Array.isArray(blank)) return texts(blank, (value ?? {}) as Members);
    return ((value ?? []) as readonly Members[]).map((each) => texts((blank as readonly object[])[0] ?? {}, each));
  };
  return Object.fromEntries(Object.entries(empty).map(([name, blank]) => [name, member(name, blank)])) as DraftOf<K>;
}
