/**
 * The files of test/vectors/intake and the comparison of what was made of each with its NAME.expected.json. SOURCE.md there
 * describes the format.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IntakeChoice, IntakeFault, IntakeOptions } from '../../src/codec/api-intake.js';
import type { Block, InputFile, Outcome } from '../../src/intake/types.js';
import { packageRoot } from '../support/package-root.js';

const folder = join(packageRoot(import.meta.url), 'test', 'vectors', 'intake');

type Members = Readonly<Record<string, unknown>>;

interface ExpectedBlock {
  readonly type: string;
  readonly text: string;
  readonly page: number | null;
  readonly under: readonly string[];
  readonly file?: string;
}

interface Expectation {
  readonly draft?: Members;
  readonly choice?: { readonly about: string; readonly readings: readonly string[] };
  readonly refused?: {
    readonly about: string;
    readonly column: string | null;
    readonly rows: readonly number[];
    readonly cell: string | null;
  };
  readonly blocks?: {
    readonly count_min: number;
    readonly contains: readonly ExpectedBlock[];
    readonly absent: readonly string[];
  };
  readonly notes?: readonly string[];
}

export interface IntakeCase {
  readonly title: string;
  readonly kind: string;
  /** The file, or the files of the directory, sorted by name. */
  readonly files: readonly InputFile[];
  readonly options: IntakeOptions;
  readonly expected: Expectation;
}

interface CaseFile extends Expectation {
  readonly kind: string;
  readonly options?: Members;
  readonly cases?: readonly (Expectation & { readonly options?: Members })[];
}

const read = (name: string): InputFile => ({ name, bytes: readFileSync(join(folder, name)) });

/** Returns the cases of the files whose name fits. */
export const intakeCases = (fits: (name: string) => boolean): readonly IntakeCase[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.expected.json') && fits(name.replace('.expected.json', '')))
    .flatMap(casesOf);

function casesOf(caseFile: string): IntakeCase[] {
  const name = caseFile.replace('.expected.json', '');
  const { kind, ...file }: CaseFile = JSON.parse(readFileSync(join(folder, caseFile), 'utf8'));
  const files = statSync(join(folder, name)).isDirectory()
    ? readdirSync(join(folder, name))
        .sort()
        .map((inner) => ({ ...read(join(name, inner)), name: inner }))
    : [read(name)];
  return (file.cases ?? [file]).map((expected) => {
    const options = optionsOf(expected.options ?? {});
    const given = Object.keys(options).length === 0 ? '' : ` with ${JSON.stringify(options)}`;
    return { title: `${name}${given}`, kind, files, options, expected };
  });
}

const optionNames: Readonly<Record<string, string>> = { date: 'dateOrder', risk: 'scale' };
const optionsOf = (options: Members): IntakeOptions =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [optionNames[name] ?? name, value]));

/** Returns what of an outcome is not as expected; nothing where all is. */
export function differences(outcome: Outcome, { draft, choice, refused, blocks, notes }: Expectation): string[] {
  const list: string[] = [];
  const fail = (message: string): void => void list.push(message);
  for (const note of notes ?? []) {
    if (!outcome.notes.some((text) => hasAny(text, note))) fail(`no note has ${note}: ${JSON.stringify(outcome.notes)}`);
  }
  if (choice !== undefined) compareChoice(outcome, choice, fail);
  if (refused !== undefined) compareRefusal(outcome, refused, fail);
  if (draft !== undefined || blocks !== undefined) {
    if (outcome.outcome !== 'draft') fail(`no draft: ${JSON.stringify(outcome)}`);
    else {
      if (draft !== undefined) compareWork(workOf(outcome.draft), draft, fail);
      if (blocks !== undefined) compareBlocks(outcome, blocks, fail);
    }
  }
  return list;
}

type Fail = (message: string) => void;
type Draft = Extract<Outcome, { outcome: 'draft' }>;

const hasAny = (text: string, alternatives: string): boolean =>
  alternatives.split('|').some((each) => text.toLowerCase().includes(each.toLowerCase()));
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const workOf = (draft: unknown): Members => (isMembers(draft) && isMembers(draft['work']) ? draft['work'] : {});

function compareChoice(outcome: Outcome, expected: NonNullable<Expectation['choice']>, fail: Fail): void {
  const choices: readonly IntakeChoice[] = outcome.outcome === 'choice_needed' ? outcome.choices : [];
  const found = choices.find(({ about }) => about === expected.about);
  if (found === undefined) return fail(`no choice about ${expected.about}: ${JSON.stringify(outcome)}`);
  const said = [found.message, ...found.readings.map(({ label }) => label)].join('\n');
  for (const reading of expected.readings) if (!said.includes(reading)) fail(`the choice has no ${reading}: ${said}`);
}

function compareRefusal(outcome: Outcome, expected: NonNullable<Expectation['refused']>, fail: Fail): void {
  const { about, column, rows, cell } = expected;
  const meets = (fault: IntakeFault): boolean =>
    hasAny(fault.message, about) &&
    [column ?? '', ...rows.map(String), cell ?? ''].every((part) => fault.message.includes(part)) &&
    (column === null || fault.column === column) &&
    (rows.length === 0 || fault.rows.join() === rows.join()) &&
    (cell === null || fault.cell === cell);
  const errors: readonly IntakeFault[] = outcome.outcome === 'invalid' ? outcome.errors : [];
  if (!errors.some(meets)) fail(`no fault is ${JSON.stringify(expected)}: ${JSON.stringify(outcome)}`);
}

function compareBlocks(outcome: Draft, expected: NonNullable<Expectation['blocks']>, fail: Fail): void {
  const documents = outcome.documents ?? [];
  const plain = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const blocks = documents.flatMap((document, i) => document.blocks.map((block) => ({ ...block, file: fileOf(outcome, i) })));
  if (blocks.length < expected.count_min) fail(`${blocks.length} blocks, not ${expected.count_min}`);
  const holds = (block: Block, wanted: ExpectedBlock): boolean => {
    if (wanted.type !== 'table row') return plain(block.text).includes(plain(wanted.text));
    const said = plain((block.header ?? []).map((header) => `${header} `).join('') + block.text);
    return inOrder(
      block,
      wanted.text.split('|').flatMap((part) => part.split(': ').map(plain)),
      plain(block.text),
      said,
    );
  };
  for (const wanted of expected.contains) {
    const found = blocks.some(
      (block) =>
        block.type === wanted.type.replace(' ', '_') &&
        holds(block, wanted) &&
        (wanted.page === null || block.page === wanted.page) &&
        (wanted.file === undefined || block.file === wanted.file) &&
        endsWith((block.under ?? []).map(plain), wanted.under.map(plain)),
    );
    if (!found) fail(`no block is ${JSON.stringify(wanted)}`);
  }
  const said = [...documents.map(({ title }) => title), ...blocks.flatMap(({ text, under }) => [text, ...(under ?? [])])];
  for (const text of expected.absent) {
    const where = said.find((each) => (plain(text) !== '' && plain(each).includes(plain(text))) || each.includes(text));
    if (where !== undefined) fail(`${JSON.stringify(text)} is in ${JSON.stringify(where)}`);
  }
}

/** The name that the provenance gives the file of a document. */
function fileOf({ provenance }: Draft, i: number): string | undefined {
  const files: unknown = isMembers(provenance) ? provenance['files'] : undefined;
  const file: unknown = Array.isArray(files) ? files[i] : undefined;
  return isMembers(file) ? String(file['name']) : undefined;
}

/** Returns whether a table row has each header and cell in order, in its text or with the headers beside it. */
function inOrder(block: Block, parts: readonly string[], text: string, withHeader: string): boolean {
  const follows = (all: string, each: readonly string[]): boolean => {
    let at = 0;
    return each.every((part) => {
      const found = all.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
  };
  const of = (remainder: number): string[] => parts.filter((_, i) => i % 2 === remainder);
  return follows(text, parts) || (block.header !== undefined && follows(text, of(1)) && follows(withHeader, of(0)));
}

const endsWith = (path: readonly string[], end: readonly string[]): boolean =>
  end.every((heading, i) => path[path.length - end.length + i] === heading);

/** The values of members that are left out. */
const defaults: Members = { risk: 0, requires: [], excludes: [], release: 0, weight: 1, count: 1 };
/** Those of an item or a job that must be absent unless they are written. */
const unwritten = ['risk', 'group', 'requires', 'excludes', 'due', 'release', 'weight'];

function compareWork(work: Members, expected: Members, fail: Fail): void {
  const names = new Map<string, string>();
  for (const machine of listOf(work['machines'])) names.set(String(machine['id']), String(machine['title']));
  for (const [member, value] of Object.entries(expected)) {
    if (member === 'jobs') compareJobs(listOf(work['jobs']), listOf(value), names, fail);
    else if (member === 'items') compareItems(listOf(work['items']), listOf(value), fail);
    else if (!isSame(member, work[member], value)) {
      fail(`${member} is ${JSON.stringify(work[member])}, not ${JSON.stringify(value)}`);
    }
  }
}

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : []);

function compareEntry(path: string, entry: Members, expected: Members, special: readonly string[], fail: Fail): void {
  for (const member of new Set([...Object.keys(expected), ...unwritten])) {
    if (special.includes(member)) continue;
    const found = member === 'title' ? (entry['title'] ?? entry['id']) : entry[member];
    if (!isSame(member, found, expected[member])) {
      fail(`${path}.${member} is ${JSON.stringify(found)}, not ${JSON.stringify(expected[member])}`);
    }
  }
}

function compareJobs(jobs: readonly Members[], expected: readonly Members[], names: Map<string, string>, fail: Fail): void {
  if (jobs.length !== expected.length) fail(`${jobs.length} jobs, not ${expected.length}`);
  const [ids, machines] = [new Map<string, string>(), new Map<string, string>()];
  expected.forEach((wanted, i) => {
    const job = jobs[i] ?? {};
    compareEntry(`jobs[${i}]`, job, wanted, ['operations'], fail);
    const [operations, wantedOperations] = [listOf(job['operations']), listOf(wanted['operations'])];
    if (operations.length !== wantedOperations.length) fail(`jobs[${i}] has ${operations.length} operations`);
    wantedOperations.forEach(({ machine, duration }, k) => {
      const [id, name] = [String(operations[k]?.['machine']), String(machine)];
      if (id !== name && names.get(id) !== name) fail(`jobs[${i}].operations[${k}] is on ${id}, not ${name}`);
      if ((ids.get(name) ?? id) !== id || (machines.get(id) ?? name) !== name) fail(`${name} and ${id} are not one machine`);
      ids.set(name, id);
      machines.set(id, name);
      if (operations[k]?.['duration'] !== duration) fail(`jobs[${i}].operations[${k}] takes ${JSON.stringify(operations[k])}`);
    });
  });
}

function compareItems(items: readonly Members[], expected: readonly Members[], fail: Fail): void {
  if (items.length !== expected.length) fail(`${items.length} items, not ${expected.length}`);
  const titles = new Map(items.map((item) => [String(item['id']), String(item['title'] ?? item['id'])]));
  const groups = new Map<unknown, unknown>();
  expected.forEach((wanted, i) => {
    const item = items[i] ?? {};
    compareEntry(`items[${i}]`, item, wanted, ['group', 'requires', 'excludes'], fail);
    for (const member of ['requires', 'excludes']) {
      const [found, names] = [namesOf(item[member]), namesOf(wanted[member])];
      const isMet = (name: string, k: number): boolean => found[k] === name || titles.get(found[k] ?? '') === name;
      if (found.length !== names.length || !names.every(isMet)) fail(`items[${i}].${member} is ${JSON.stringify(found)}`);
    }
    const [group, name] = [item['group'], wanted['group']];
    if ((groups.get(name) ?? group) !== group || (group === undefined) !== (name === undefined)) {
      fail(`items[${i}].group is ${JSON.stringify(group)}`);
    }
    groups.set(name, group);
  });
  if (new Set(groups.values()).size !== groups.size) fail('two groups have one name');
}

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const units: Readonly<Record<string, string>> = { '€': 'eur', '£': 'gbp', $: 'usd' };
const unitOf = (value: unknown): string => units[String(value)] ?? String(value).toLowerCase().replace(/s$/, '');
const civil = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::00)?$/, '$1 $2') : value;

function isSame(member: string, found: unknown, expected: unknown): boolean {
  const [a, b] = [found ?? defaults[member] ?? null, expected ?? defaults[member] ?? null];
  if (member === 'unit' && typeof b === 'string') return unitOf(a) === unitOf(b);
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && b.every((each, i) => isSame('', a[i], each));
  if (isMembers(a) && isMembers(b)) return Object.entries(b).every(([name, each]) => isSame(name, a[name], each));
  return civil(a) === civil(b);
}
