/** Missions from spreadsheets: `new` writes a mission file, `run --kind` queues, and both ask for what the files leave open. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { spawnSync } from 'node:child_process';
import { readFiles } from '../../src/intake/read.js';
import {
  lineOnTerminal,
  onTerminal,
  talkOnTerminal,
  program,
  root,
  hostedScratch,
  whyNoTerminal,
  scratch,
} from '../support/cli/cli-run.js';
import { optionFlags } from '../../src/cli/failure.js';
import { quoted } from '../../src/base/text.js';
import type { Outcome } from '../../src/intake/types.js';
import { differences, type IntakeCase, intakeCases } from '../intake/expected.js';
import { atEffort } from '../support/effort.js';

const vectors = join(root, 'test', 'vectors', 'intake');
describe('missions from files', () => {
  const place = hostedScratch({ NO_COLOR: '1' });
  const at = (name: string): string => join(place.directory, name);
  const readMission = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));
  before(() => cpSync(vectors, place.directory, { recursive: true }));
  after(() => place.remove());

  it('are written by new, which says what it understood and needs no home', () => {
    const { code, stdout, stderr } = place.run('new', 'schedule', '--from', 'jobs-names.xlsx');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^jobs-names\.xlsx: a schedule of 3 jobs: 6 operations on 4 machines, times in minutes\ngoal: /);
    assert.match(
      stdout,
      /\n {3}Job +Step +Machine +Minutes\n {3}job +step +machine +duration\n2 {2}Rahmen Größe 7 +1 +Säge Süd +35\n/,
    );
    assert.match(stdout, /\nand 1 more row\n\nnote: Merged cells: A2:A4, A5:A6\./);
    assert.match(stdout, /\nwrote jobs-names\.json\n\nnext: agent-cli run jobs-names\.json --execute\n$/);
    assert.equal(readMission('jobs-names.json').work.jobs[0].title, 'Rahmen Größe 7');
    assert.equal(existsSync(at('home')), false);
  });

  it('never take the place of a file', () => {
    writeFileSync(at('kept.json'), 'mine');
    const { code, stderr } = place.run('new', 'schedule', '--from', 'jobs-names.xlsx', '--output', 'kept.json');
    assert.deepEqual([code, stderr], [2, '✗ Already exists: kept.json exists already and is never overwritten\n']);
    assert.equal(readFileSync(at('kept.json'), 'utf8'), 'mine');
  });

  it('have a document with --json', () => {
    const args = ['--from', 'proposals.xlsx', '--set', 'budget=25000', '--map', 'Proposal=title', '--map', 'Benefit=value'];
    const document = place.json('new', 'allocation', ...args, '--goal', 'Fund what helps most', '--no-names');
    assert.deepEqual(Object.keys(document), ['output', 'kind', 'rows', 'notes', 'provenance', 'draft']);
    assert.deepEqual(document['draft'], readMission('proposals.json'));
    const { goal, work, provenance } = readMission('proposals.json');
    assert.deepEqual([document['output'], document['kind'], document['rows']], ['proposals.json', 'allocation', 4]);
    assert.deepEqual([goal, work.budget, work.items.length], ['Fund what helps most', 25_000, 4]);
    assert.deepEqual(document['provenance'], provenance);
    assert.equal(JSON.stringify(provenance).includes('proposals.xlsx'), false);
  });

  it('leave a choice to a person', () => {
    const { code, stdout, stderr } = place.run('new', 'forecast', '--from', 'monthly-thousands.csv');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^✗ Choice needed: Column "Sales \(EUR\)" .*\n {4}--decimal \. {2}Read 11,049 as 11049\n {4}--decimal , {2}Read 11,049 as 11\.049\n$/,
    );
    const { choices, ...rest } = JSON.parse(place.run('new', 'forecast', '--from', 'monthly-thousands.csv', '--json').stderr);
    assert.deepEqual([rest.code, rest.errors, choices.length], ['choice_needed', [], 1]);
    const [{ about, flag, readings }] = choices;
    assert.deepEqual([about, flag], ['decimal', '--decimal . or --decimal ,']);
    assert.deepEqual(readings, [
      { label: 'Read 11,049 as 11049', option: { decimal: '.' } },
      { label: 'Read 11,049 as 11.049', option: { decimal: ',' } },
    ]);
  });

  it('are refused with each cause once, and where it is in the file', () => {
    const { code, stderr } = place.run('new', 'allocation', '--from', 'proposals-unknown-ref.csv', '--set', 'budget=9', '--json');
    const { code: word, errors } = JSON.parse(stderr);
    assert.deepEqual([code, word, errors.length], [2, 'invalid', 1]);
    const { file, column, rows, cell, message } = errors[0];
    assert.equal(file, 'proposals-unknown-ref.csv');
    assert.deepEqual([typeof column, rows.length > 0, typeof cell], ['string', true, 'string']);
    assert.match(message, new RegExp(`row.*${rows[0]}`));
  });

  it('are refused with the flag that helps beside the message', () => {
    const days = [1, 3, 8, 20, 21, 40, 44, 60, 77, 90, 99, 150, 151, 300];
    const rows = days.map((day) => `${new Date(Date.UTC(2024, 0, day)).toISOString().slice(0, 10)},${day}\n`);
    writeFileSync(at('days.csv'), `Day,Visitors\n${rows.join('')}`);
    const { code, stderr } = place.run('new', 'forecast', '--from', 'days.csv');
    assert.equal(code, 2);
    assert.match(stderr, /have no regular step\. Gather them into longer steps\.\n {2}→ --every month --sum\n$/);
  });

  it('name what is not in the file, and the flag that gives it', () => {
    const args = ['new', 'allocation', '--from', 'proposals.xlsx', '--map', 'Benefit=value', '--output', 'x.json'];
    const { code, stderr } = place.run(...args);
    assert.deepEqual([code, stderr], [2, '✗ Invalid input: work.budget is not in the file: give it with --set budget=NUMBER\n']);
    const german = place.run(...args, '--set', 'budget=25.000');
    assert.equal(german.stderr, '✗ Invalid input: --set: 25.000 may be 25 or 25000; write 25000 or 25.0000\n');
    assert.equal(existsSync(at('x.json')), false);
  });

  it('are read from standard input and written to standard output', () => {
    const line = `${quoted(process.execPath)} ${quoted(program)} new forecast --from - --output - <monthly-millions.csv`;
    const { code, stdout } = lineOnTerminal(line, place.env, place.directory);
    assert.equal(code, 0, stdout);
    assert.equal(JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1)).work.observations[0], 933_050);
  });

  it('are refused for flags that are no pair or number', () => {
    const said = (...flags: readonly string[]): string =>
      place.run('new', 'forecast', '--from', 'two-columns.csv', ...flags).stderr;
    assert.match(said('--set', 'budget'), /--set: "budget" has no name and value with = between them/);
    assert.match(said('--map', '=value'), /--map: "=value" has no name and value/);
    assert.match(said('--scale', 'Low=much'), /--scale: "much" is not a number/);
    assert.match(said('--from', 'nothing.csv'), /nothing\.csv cannot be read \(ENOENT\)/);
  });

  it('are queued by run with a kind', () => {
    place.json('init');
    const { code, stdout } = place.run('run', 'two-columns.csv', '--kind', 'forecast', '--column', 'Harbour shop', '--execute');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^two-columns\.csv: a forecast of the next 3 values [^]*\nmission +[0-9a-f-]{36}\nkind +forecast\n[^]*state +review/,
    );
    const { request } = place.json('run', 'two-columns.csv', '--kind', 'forecast', '--column', 'Harbour shop');
    assert.equal(JSON.stringify(request).includes('"name":"two-columns.csv"'), true);
  });

  it('are in review after one command, with their gaps, names and documents', () => {
    const spiked = Array.from({ length: 30 }, (_, i) => (i === 20 ? 9_000 : i === 4 ? '' : 100 + (i % 5)));
    const month = (i: number): string => `${2024 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`;
    writeFileSync(at('sales.csv'), ['Month,Sales', ...spiked.map((value, i) => `${month(i)},${value}`)].join('\n'));
    const run = (...args: readonly string[]) => Object(place.json('run', ...args, '--execute'));
    const sales = run('sales.csv', '--kind', 'forecast', '--gaps', 'interpolate');
    assert.equal(sales.state, 'review');
    assert.match(sales.result.limits.join('\n'), /^Observation 21 on 2025-09-01 \(9000\) is an outlier/m);
    const jobs = run('jobs-names.xlsx', '--kind', 'schedule');
    assert.deepEqual([jobs.state, jobs.request.work.jobs[0].title], ['review', 'Rahmen Größe 7']);
    const budget = ['--map', 'Benefit=value', '--set', 'budget=250000'];
    assert.equal(run('proposals.xlsx', '--kind', 'allocation', ...budget).state, 'review');
    const documents = ['report-6-pages.pdf', 'kelp.html', 'handbook.docx', 'rules.md', 'minutes-crlf.txt'];
    const { state, request } = run(...documents, '--kind', 'research', '--goal', 'Who repairs the stairs of the dyke?');
    assert.deepEqual([state, request.work.sources.length], ['review', 5]);
  });

  it('are mission files too, with a byte order mark', () => {
    writeFileSync(at('marked.json'), `\ufeff${readFileSync(at('jobs-names.json'), 'utf8')}`);
    assert.equal(place.json('run', 'marked.json')['state'], 'queued');
  });

  it('need a kind, which run says', () => {
    const { code, stderr } = place.run('run', 'two-columns.csv');
    assert.equal(code, 2);
    assert.match(stderr, /agent-cli new KIND --from two-columns\.csv .* agent-cli run two-columns\.csv --kind KIND/);
    assert.match(place.run('run', 'jobs-names.json', 'marked.json').stderr, /several files need --kind/);
    assert.match(place.run('run', 'jobs-names.json', '--sum').stderr, /--sum needs --kind/);
  });

  it('are the examples again, from the spreadsheets beside them', async () => {
    const { spreadsheets } = place.json('examples', '--output', 'examples');
    assert.deepEqual(
      (spreadsheets as string[]).map((file) => file.slice(at('examples').length + 1)),
      ['allocation.csv', 'allocation.xlsx', 'schedule.csv', 'schedule.xlsx', 'forecast.csv', 'forecast.xlsx'],
    );
    for (const kind of ['allocation', 'schedule', 'forecast'] as const)
      for (const format of ['csv', 'xlsx']) {
        const file = { name: `${kind}.${format}`, bytes: readFileSync(at(`examples/${kind}.${format}`)) };
        const outcome = await readFiles(kind, [file], kind === 'allocation' ? { set: { budget: 420_000 } } : {});
        const { work } = Object(outcome.outcome === 'draft' ? outcome.draft : null);
        const { work: example } = readMission(`examples/${kind}.json`);
        for (const member of ['observations', 'items']) assert.deepEqual(work[member], example[member], `${kind} ${format}`);
        if (kind === 'schedule') assert.deepEqual(jobsByName(work), example.jobs, format);
      }
  });
});

interface ScheduleFile {
  readonly jobs: readonly { title: string; operations: readonly { machine: string }[]; release?: number }[];
  readonly machines: readonly { id: string; title: string }[];
}

/** Returns the jobs of a mission that was made from a file, with names in place of ids. */
function jobsByName({ jobs, machines }: ScheduleFile): unknown {
  const named = (title: string): string => title.toLowerCase().replaceAll(' ', '_');
  const names = new Map<string, string>(machines.map(({ id, title }) => [id, named(title)]));
  return jobs.map(({ title, operations, release = 0, ...job }) => ({
    ...job,
    id: named(title),
    release,
    operations: operations.map(({ machine, ...rest }) => ({ ...rest, machine: names.get(machine) })),
  }));
}

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`missions from files on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  const place = hostedScratch({ NO_COLOR: '1' });
  before(() => cpSync(vectors, place.directory, { recursive: true }));
  after(() => place.remove());

  it('ask for a choice and for what is missing, again after what is no answer', async () => {
    const thousands = onTerminal(['new', 'forecast', '--from', 'monthly-thousands.csv'], place.env, place.directory, '3\n1\n');
    assert.equal(thousands.code, 0, thousands.stdout);
    assert.match(thousands.stdout, /1 {2}Read 11,049 as 11049[^]*Your choice, 1 to 2: [^]*wrote monthly-thousands\.json/);
    const args = ['new', 'allocation', '--from', 'proposals.xlsx', '--map', 'Benefit=value'];
    const answers = ['1.500', 'much', '25000'].map((text) => ['a number: ', `${text}\n`] as const);
    const budget = await talkOnTerminal(args, place.env, place.directory, answers);
    assert.equal(budget.code, 0, budget.stdout);
    assert.match(budget.stdout, /1.5 or 1500[^]*budget must be [^]*a number: [^]*a budget of 25000 EUR/);
  });

  it('take numbers of the person in place of words', () => {
    const args = ['new', 'allocation', '--from', 'proposals-risk-words.csv', '--set', 'budget=9000'];
    const { code, stdout } = onTerminal(args, place.env, place.directory, 'Low=x\nLow=1,Medium=4,High=9\n');
    assert.equal(code, 0, stdout);
    const { work } = JSON.parse(readFileSync(join(place.directory, 'proposals-risk-words.json'), 'utf8'));
    assert.deepEqual(new Set(work.items.map(({ risk }: { readonly risk: number }) => risk)), new Set([1, 4, 9]));
  });

  it('ask what the person wants to know from documents', () => {
    writeFileSync(join(place.directory, 'log.txt'), 'The harbour was dredged in May 2024.\n');
    const args = ['new', 'research', '--from', 'log.txt'];
    const { code, stdout } = onTerminal(args, place.env, place.directory, 'When was it dredged?\n');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /What do you want to know\? [^]*: research in 1 passage of 1 source\r?\ngoal: When was it dredged\?/);
    const unasked = onTerminal([...args, '--output', 'other.json', '--json'], place.env, place.directory);
    assert.deepEqual([unasked.code, JSON.parse(unasked.stdout).detail], [2, 'goal is not in the file: give it with --goal TEXT']);
  });

  it('ask nobody with --json', () => {
    const { code, stdout } = onTerminal(['new', 'forecast', '--from', 'two-columns.csv', '--json'], place.env, place.directory);
    assert.deepEqual([code, JSON.parse(stdout).code], [2, 'choice_needed']);
  });
});

const read_every = atEffort(24, 1);

describe('files of people on the command line', () => {
  const place = scratch({ NO_COLOR: '1' });
  after(() => place.remove());

  /** Returns what `new --json` prints as an outcome of the reader. */
  function outcomeOf({ kind, files, options }: IntakeCase, at: string): Outcome {
    const folder = join(place.directory, at);
    for (const { name, bytes } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const from = files.map(({ name }) => `--from ${quoted(name)}`).join(' ');
    const command = [process.execPath, program, 'new', kind].map(quoted).join(' ');
    const line = `${command} ${from} ${optionFlags(options)} --json --output made.json`;
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env: place.env, encoding: 'utf8' });
    const { code, choices, errors, ...made } = JSON.parse(stdout === '' ? stderr : stdout);
    if (code === undefined) return { outcome: 'draft', ...made };
    return code === 'choice_needed'
      ? { outcome: 'choice_needed', choices, notes: [] }
      : { outcome: 'invalid', errors, notes: [] };
  }

  // Blocks of documents are in no document that the command prints.
  const cases = intakeCases(() => true).filter(({ expected }) => expected.blocks === undefined);
  for (const [i, each] of cases.entries())
    if (i % read_every === 0)
      it(each.title, () => {
        const { notes: _, ...expected } = each.expected;
        assert.deepEqual(differences(outcomeOf(each, String(i)), expected), []);
      });
});
