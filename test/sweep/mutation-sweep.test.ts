/**
 * Alters copies of a home in every way that a generator knows, and tries commands on each: a change is found by what its group
 * declares, or it is harmless and nothing is different. By default a few changes of every group; TEST_EFFORT=full makes 600 of each home, of every
 * column and every part. TEST_SEED chooses others. @slow
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../../src/base/prng.js';
import type { Db } from '../../src/store/database.js';
import { JournalRows } from '../fuzz/journal-rows.js';
import { cli, root } from '../support/cli/cli-run.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { inMemory } from './alter.js';
import { type Change, placeIn } from './change.js';
import { allChanges, partOf, selection } from './generate.js';
import { type Finder, finders, type GroupName, groupNames, groupOf } from './groups.js';
import { makeMixedHomes, type MixedHomes } from './homes.js';
import { Sweep } from './sweep.js';
import { copyHome, type Tried } from './trial.js';
import { assertNone } from '../support/lists.js';

const seed = Number(process.env['TEST_SEED'] ?? 20_261_126);
/** One change of each group. */
const few_changes = 52;
const many_changes = 600;
/** scripts/fuzz --target journal makes more. */
const drawn_changes = atEffort(2, 200);
const drawn_seed = 20_261_123;
const files = ['api.token', 'ballast', 'config.json', 'identity.key', 'journal.sqlite3', 'lock.sqlite3', 'running'];
const page = join(root, 'docs', 'journal-format.md');

const columnsOf = (db: Db): readonly string[] =>
  db
    .prepare<[], string>(
      "SELECT m.name || '.' || c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' ORDER BY 1",
    )
    .pluck()
    .all();

/** What can be otherwise where the snapshot is far from the beginning. */
const isOfState = ({ group }: Change): boolean => group === 'newest entry hidden' || group === 'snapshot altered';

describe('changes of a home', () => {
  let homes: MixedHomes;
  let sweep: Sweep;
  let all: readonly Change[];
  let ofLarge: readonly Change[];
  before(async () => {
    homes = await makeMixedHomes();
    sweep = new Sweep(homes.root);
    const changes = allChanges(homes.root);
    all = changes.filter(({ of }) => of !== 'large');
    ofLarge = changes.filter(({ of }) => of === 'large');
  });
  after(async () => {
    await sweep.end();
    homes.remove();
  });

  it('are made in every table, column and file', () => {
    const columns = inMemory(placeIn(join(homes.root, 'main')).journal, columnsOf);
    assert.deepEqual(readdirSync(join(homes.root, 'main', 'home')).toSorted(), files, 'files that changes are declared for');
    const altered = new Set(all.flatMap(({ alters = [] }) => alters));
    assertNone(columns, (column) => !altered.has(column), 'columns that no change alters');
    for (const name of groupNames)
      assert.ok(
        all.some(({ group }) => group === name),
        `no change is of the group "${name}"`,
      );
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length, 'names are unique');
    for (const changes of [all, ofLarge]) assert.ok(changes.length >= many_changes, `${changes.length} changes`);
  });

  it('have each column and each part among the many that are tried at full effort', () => {
    for (const changes of [all, ofLarge]) {
      const parts = new Set(selection(changes, many_changes, seed).map(partOf));
      assertNone(changes.map(partOf), (part) => !parts.has(part));
    }
  });

  it('are found by what is declared, or are harmless', async () => {
    const changes = selection(all, atEffort(few_changes, many_changes), seed);
    const tried = await sweep.all(changes, atEffort(0, few_changes));
    requireFound(changes, tried);
    // The table says what finds a group at the latest: when many changes were tried, some change of it is found no earlier.
    if (fullEffort) assert.deepEqual(stale(changes, tried), []);
  });

  it('are found in a home of many entries too', async () => {
    const changes = fullEffort ? selection(ofLarge, many_changes, seed) : selection(ofLarge.filter(isOfState), 2, seed);
    requireFound(changes, await sweep.all(changes, 0));
  });

  it('are found too when they are drawn at random, of any bytes of any row', async () => {
    const target = new JournalRows(sweep);
    const wrong: string[] = [];
    for (let n = 0; n < drawn_changes; n++) {
      const { bytes, what } = target.make(prng(drawn_seed, n));
      wrong.push(...(await target.try(bytes)).map((miss) => `${what}: ${miss}`));
    }
    assert.deepEqual(wrong, []);
  });

  it('are found by the command line as by the functions that were tried', () => {
    const found = { 'control row': 3, 'blob altered': 3, 'schema altered': 3, 'older copy': 3, 'migration time': 0 } as const;
    const commands = ['verify', 'list', 'checkpoint', 'doctor'] as const;
    for (const [turn, [group, expected]] of Object.entries(found).entries()) {
      const change = selection(
        all.filter((each) => each.group === group),
        1,
        seed,
      )[0]!;
      const folder = join(homes.root, 'line');
      copyHome(join(homes.root, change.of ?? 'main'), folder);
      change.apply(placeIn(folder));
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        AGENT_HOME: join(folder, 'home'),
        AGENT_WITNESS: join(folder, 'witness'),
      };
      const finders: readonly string[] = group === 'blob altered' ? ['verify'] : commands;
      for (const command of atEffort([finders[(turn + 1) % finders.length]!], finders)) {
        const { code, stdout, stderr } = cli([command, '--json'], env, folder);
        assert.equal(code, expected, `${change.name}: ${command}: ${stdout}${stderr}`);
      }
    }
  });
});

describe('the table of findings', () => {
  it('is in docs/journal-format.md as the sweep has it; UPDATE_DOCS=1 writes it', () => {
    const text = readFileSync(page, 'utf8');
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, withTable(text, formatTable()));
    assert.equal(tableIn(readFileSync(page, 'utf8')), formatTable());
  });
});

const began = '<!-- sweep:begin -->';
const ended = '<!-- sweep:end -->';

const finderInWords = (finder: Finder): string => (finder.startsWith('verify') ? `\`${finder}\`` : finder);

/** Where one command would show a change, another change of the group may be one that only `verify` reads. */
const rank = (finder: Finder): number => finders.indexOf(finder === 'the command that shows it' ? 'verify' : finder);

function requireFound(changes: readonly Change[], tried: readonly Tried[]): void {
  const missed = tried.filter(({ misses }) => misses.length > 0).length;
  assert.equal(missed, 0, `${missed} of ${changes.length} changes missed (TEST_SEED=${seed})\n${formatMisses(changes, tried)}`);
}

/** Returns the groups of which every change was found earlier than their declaration says, each with what found the last. */
function stale(changes: readonly Change[], tried: readonly Tried[]): readonly string[] {
  const found = new Map<GroupName, Finder>();
  for (const [i, { group }] of changes.entries()) {
    const finder = tried[i]?.finder ?? null;
    const before = found.get(group);
    if (finder !== null && (before === undefined || rank(finder) > rank(before))) found.set(group, finder);
  }
  return [...found]
    .filter(([group, finder]) => rank(finder) < rank(groupOf(group).finder))
    .map(([group, finder]) => `${group}: declared "${groupOf(group).finder}", found by "${finder}"`);
}

/** Returns the table of what is found by what, in the order of the finders. */
function formatTable(): string {
  const rows = finders.flatMap((finder) =>
    groupNames
      .map(groupOf)
      .filter((group) => group.finder === finder)
      .map(({ change, note = '' }) => `| ${change} | ${finderInWords(finder)} | ${note} |`),
  );
  return ['| Change | Found at the latest by | Notes |', '|---|---|---|', ...rows].join('\n');
}

/** Returns the text between the markers of a page, or null. */
function tableIn(page: string): string | null {
  const [start, end] = [page.indexOf(began), page.indexOf(ended)];
  return start < 0 || end < start ? null : page.slice(start + began.length, end).trim();
}

const withTable = (page: string, table: string): string =>
  `${page.slice(0, page.indexOf(began) + began.length)}\n${table}\n${page.slice(page.indexOf(ended))}`;

/** Returns a table of the misses: each change with what commands did wrong, and which. Empty when there are none. */
function formatMisses(changes: readonly Change[], tried: readonly Tried[]): string {
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
