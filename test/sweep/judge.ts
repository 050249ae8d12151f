/** Judges what commands said of an altered home, beside what they say of one that was not altered. */
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { Ran } from '../support/cli/cli-run.js';
import type { Change } from './change.js';
import { type Finder, finders, type Group, groupOf } from './groups.js';
import { type ProbeName, probeNames, probeOf } from './probes.js';

export type Said = ReadonlyMap<ProbeName, Ran>;

const refused = 3;
const newer = 4;

export interface Judged {
  readonly change: Change;
  readonly said: Said;
  /** What the commands say of the home that was not altered. */
  readonly usual: Said;
  /** The change left every row as it was. */
  readonly isVoid: boolean;
}

/** Returns what found a change at the latest; null when commands show it, or when one that would have to find it did not. */
export const finderOf = (judged: Judged): Finder | null =>
  finders.find((finder) => missesOf(judged, finder).length === 0) ?? null;

/** Returns what commands did wrong when a change must be found by `finder`, by default that of its group. */
export function missesOf({ change, said, usual, isVoid }: Judged, finder?: Finder): readonly string[] {
  const declared = groupOf(change.group);
  const group = { ...declared, finder: finder ?? declared.finder };
  return [...said].flatMap(([name, ran]) => {
    const before = usual.get(name);
    if (before === undefined) throw new Error(`${name} was not tried on a home that was not altered`);
    const fault = faultOf(name, ran, before, group, change, isVoid);
    return fault === null ? [] : [`${name}: ${fault}`];
  });
}

/** Returns what a command did wrong, or null. */
function faultOf(name: ProbeName, ran: Ran, before: Ran, group: Group, change: Change, isVoid: boolean): string | null {
  const isSame = ran.code === before.code && comparable(ran.stdout) === comparable(before.stdout);
  const isFine = isSame || mayDiffer(name, ran, before, group);
  const expected = isVoid ? 'may find' : expectationOf(name, group, change);
  switch (expected) {
    case 'same':
      return isFine ? null : described(ran, 'not as before');
    case 'newer':
      return ran.code === newer ? null : described(ran, 'not refused as newer');
    case 'reads newer':
      return ran.code === 0 && ran.stderr !== '' && (isFine || name.startsWith('verify'))
        ? null
        : described(ran, 'not read with a warning');
    case 'must find':
      if (ran.code !== refused)
        return described(ran, ran.code === 0 && !isSame ? 'not found, and prints something else' : 'not found');
      return ran.stdout === '' || warns(ran) || isReport(name) ? null : 'prints without a warning';
    case 'works':
      return ran.code === refused || (ran.code !== fault && warns(ran)) ? null : described(ran, 'neither refuses nor warns');
    case 'repairs':
      return ran.code === refused || ran.code === 0 ? null : described(ran, 'neither works nor finds it');
    case 'may find':
      return ran.code === refused || isFine || (ran.code !== fault && probeOf(name).onDamage === 'works' && warns(ran))
        ? null
        : described(ran, 'finds nothing and is not as before');
  }
}

const fault = 1;

function mayDiffer(name: ProbeName, ran: Ran, before: Ran, { differs }: Group): boolean {
  if (differs === 'any') return ran.code !== fault;
  return differs?.includes(name) === true && (ran.code === before.code || (name === 'doctor' && ran.code === refused));
}

/** Commands whose output is what they found. */
const isReport = (name: ProbeName): boolean => name.startsWith('verify') || name === 'doctor';

/** Whether a command warns of damage or of another configuration, in its document or on standard error. */
const warns = ({ stdout, stderr }: Ran): boolean =>
  /this home is damaged|config\.json is (?:missing|not)/.test(`${stdout}${stderr}`);

type Expectation = 'same' | 'newer' | 'reads newer' | 'must find' | 'works' | 'repairs' | 'may find';

function expectationOf(
  name: ProbeName,
  { finder, newer: isNewer, repair, mayRepair }: Group,
  { shownBy = [] }: Change,
): Expectation {
  const { onDamage, readsNewer } = probeOf(name);
  const isVerify = name.startsWith('verify');
  if (repair?.[0] === name || mayRepair === name) return 'repairs';
  if (shownBy.includes(name)) return 'must find';
  switch (finder) {
    case 'nothing':
      return 'same';
    case 'every command':
      if (isNewer === true) return readsNewer === true ? 'reads newer' : 'newer';
      return onDamage === 'works' ? 'works' : 'must find';
    case 'verify':
    case 'the command that shows it':
      return isVerify ? 'must find' : 'may find';
    case 'verify --deep':
      return name === 'verify --deep' ? 'must find' : 'may find';
    case 'verify --against':
      return name === 'verify --against' ? 'must find' : 'may find';
  }
}

const described = ({ code, stderr, stdout }: Ran, what: string): string =>
  `${what} (exit ${String(code)}) ${(stderr || stdout).slice(0, 160).replaceAll(/\s+/g, ' ')}`;

/** The output without what differs from run to run, and whatever the order of members: the same document. */
function comparable(stdout: string): string {
  const text = stdout.replaceAll(/"(elapsed_ms|signatures_checked)": \d+/g, '"$1": 0');
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Orders probes as they are declared. */
export const inOrder = (names: Iterable<ProbeName>): readonly ProbeName[] => {
  const wanted = new Set(names);
  return probeNames.filter((name) => wanted.has(name));
};
