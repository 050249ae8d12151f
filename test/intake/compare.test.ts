import assert from 'node:assert/strict';
import type { Json } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { Kind } from '../../src/codec/kinds.js';
import { compareFiles } from '../../src/intake/compare/compare.js';
import type { FileComparison, Quote } from '../../src/intake/compare/types.js';
import { readFiles } from '../../src/intake/read.js';
import type { IntakeOptions } from '../../src/codec/api-intake.js';
import type { InputFile } from '../../src/intake/types.js';
import { missionRequest, type MissionRequest } from '../../src/kinds/request.js';
import { linesFrom, pdfOf } from '../support/intake/pdf.js';

const file = (name: string, text: string): InputFile => ({ name, bytes: Buffer.from(text) });

async function requestOf(kind: Kind, files: readonly InputFile[], options: IntakeOptions = {}): Promise<MissionRequest> {
  const outcome = await readFiles(kind, files, { goal: 'What is said?', ...options });
  assert(outcome.outcome === 'draft', JSON.stringify(outcome));
  return unwrap(decode(missionRequest, outcome.draft));
}
const compare = async (
  request: MissionRequest,
  files: readonly InputFile[],
  quotes: readonly Quote[] = [],
): Promise<FileComparison> => {
  // As it comes from an export.
  const decoded = unwrap(decode(missionRequest, JSON.parse(JSON.stringify(request)) as Json));
  const [first] = await compareFiles({ request: decoded, quotes }, files);
  assert(first !== undefined);
  return first;
};
/** A request of which any member can be set. */
interface Changeable {
  work: { observations: number[] };
  provenance: { changed?: string[]; files: { version: number }[] };
}
/** Changes a request as its owner would by hand. */
const changed = (request: MissionRequest, change: (copy: Changeable) => void): MissionRequest => {
  const copy = structuredClone(request);
  change(copy as unknown as Changeable);
  return copy;
};

const jobs =
  'Order,Machine,Time,Due,Priority\nA,Saw,1:30,2026-12-01 16:00,2\nA,Drill,20,2026-12-01 16:00,2\nB,Saw,15 min,2026-12-02 12:00,1\n';
const items = 'Ref,Title,Cost,Score,Risk\np1,Roof,"1,200.50",7,Low\np2,Road,90.25,3,High\n';

describe('intake: a request and the table that it was made from', () => {
  const series = Array.from({ length: 15 }, (_, i) => (i === 2 ? '' : `${i + 1},5`));
  const csv = (values: readonly string[]): string =>
    [
      'Month;Sales (EUR);Note',
      ...values.map((value, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')};${value};7`),
    ].join('\n');
  const asked: IntakeOptions = { column: 'Sales (EUR)', gaps: 'zero', set: { horizon: 3 } };

  it('are the same, value by value and gap by gap', async () => {
    const request = await requestOf('forecast', [file('sales.csv', csv(series))], asked);
    const same = {
      file: 'sales.csv',
      same: true,
      is_same_file: true,
      values: { same: 15, all: 15 },
      difference: null,
      reason: null,
    };
    assert.deepEqual(await compare(request, [file('copy.csv', csv(series))]), same);
    const both = file('sales.csv', `${csv(series)}\n${csv(series).replace(/;7$/gm, ';8').slice(23)}`);
    assert.deepEqual(await compare(await requestOf('forecast', [both], { ...asked, where: { Note: '8' } }), [both]), same);
  });

  it('differ at a cell of the file, by a value, a gap or a row', async () => {
    const request = await requestOf('forecast', [file('sales.csv', csv(series))], asked);
    const differs = async (change: (values: string[]) => void): Promise<FileComparison> => {
      const values = [...series];
      change(values);
      return compare(request, [file('sales.csv', csv(values))]);
    };
    const value = await differs((values) => (values[4] = '99,5'));
    assert.deepEqual(
      [value.same, value.is_same_file, value.values, value.difference],
      [false, false, { same: 14, all: 15 }, { place: 'B6 (column "Sales (EUR)")', recorded: '5.5', found: '99.5' }],
    );
    const gap = await differs((values) => (values[2] = '3,5'));
    assert.deepEqual(gap.difference, { place: 'B4 (column "Sales (EUR)")', recorded: 'a gap', found: '3.5' });
    const row = await differs((values) => values.push('16,5'));
    assert.deepEqual([row.difference?.recorded, row.difference?.found], ['15 entries', '16 entries']);
  });

  it('differ where the request was changed and does not say so', async () => {
    const request = await requestOf('forecast', [file('sales.csv', csv(series))], asked);
    const forged = changed(request, (copy) => (copy.work.observations[0] = 7));
    const found = await compare(forged, [file('sales.csv', csv(series))]);
    assert.deepEqual([found.same, found.is_same_file, found.difference?.recorded], [false, true, '7']);
    const told = changed(forged, (copy) => (copy.provenance.changed = ['work.observations[0]']));
    const { same, values, changed: count } = await compare(told, [file('sales.csv', csv(series))]);
    assert.deepEqual([same, values, count], [true, { same: 14, all: 14 }, 1]);
    const whole = changed(forged, (copy) => (copy.provenance.changed = ['work']));
    assert.equal((await compare(whole, [file('sales.csv', csv(series))])).same, true);
  });

  it('are the same for schedules and allocations, with what was given beside the file', async () => {
    const schedule = await requestOf('schedule', [file('jobs.csv', jobs)], { set: { start: '2026-12-01 08:00' } });
    const one = await compare(schedule, [file('jobs.csv', jobs)]);
    assert.deepEqual([one.same, one.difference, one.values?.same], [true, null, one.values?.all]);
    assert((one.values?.all ?? 0) >= 8);
    const given = { scale: { Low: 1, High: 3 }, set: { budget: 100, unit: 'k' } };
    const allocation = await requestOf('allocation', [file('p.csv', items)], given);
    const two = await compare(allocation, [file('p.csv', items)]);
    assert.deepEqual([two.same, two.difference, two.values], [true, null, { same: 10, all: 10 }]);
    const other = await compare(allocation, [file('p.csv', items.replace('High', 'Low'))]);
    assert.deepEqual(other.difference, { place: 'E3 (column "Risk")', recorded: '3', found: '1' });
    const job = await compare(schedule, [file('jobs.csv', jobs.replace(',20,', ',25,'))]);
    assert.deepEqual(job.difference?.place, 'C3 (column "Time")');
  });

  it('cannot be told where another version read the file and gives something else', async () => {
    const read = await requestOf('forecast', [file('a.csv', csv(series))], asked);
    const request = changed(read, (copy) => (copy.provenance.files[0]!.version = 9));
    assert.equal((await compare(request, [file('a.csv', csv(series))])).same, true);
    const { same, reason, difference } = await compare(request, [file('a.csv', csv(series.with(4, '99,5')))]);
    assert.deepEqual([same, reason, difference], [null, 'read by csv 9, this is csv 2', null]);
  });

  it('differ in another kind of file, and cannot be told without the file', async () => {
    const request = await requestOf('forecast', [file('a.csv', csv(series))], asked);
    assert.match((await compare(request, [file('a.csv', 'GIF89a')])).difference?.found ?? '', /GIF/);
    const { same, reason } = await compare(request, []);
    assert.deepEqual([same, reason], [null, 'the file was not given']);
  });
});

describe('intake: a request and the documents that it was made from', () => {
  const pdf = (third: string): InputFile => ({
    name: 'report.pdf',
    bytes: pdfOf(
      ['The first page is of the harbour.', 'The second page is of cranes.', third].map((text) => ({
        lines: linesFrom(80, [text]),
      })),
    ),
  });
  const notes = file('notes.txt', 'The clerk counted nine boats.\n\nNobody was absent.');
  const third = 'The third page tells of nine boats.';

  it('are the same, and each quote stands on its page', async () => {
    const request = await requestOf('research', [pdf(third), notes]);
    const [one, two] = request.work.kind === 'research' ? request.work.sources : [];
    const quotes: readonly Quote[] = [
      { source_id: 'source-1', quote: third, start: one?.text.indexOf(third) ?? 0 },
      { source_id: 'source-2', quote: 'Nobody was absent.', start: two?.text.indexOf('Nobody') ?? 0 },
    ];
    const found = await compareFiles({ request, quotes }, [notes, pdf(third)]);
    assert.deepEqual(
      found.map(({ file: name, same, blocks, quotes: counted }) => [name, same, blocks, counted]),
      [
        ['report.pdf', true, { same: 3, all: 3 }, { same: 1, all: 1, have_pages: true }],
        ['notes.txt', true, { same: 2, all: 2 }, { same: 1, all: 1, have_pages: false }],
      ],
    );
  });

  it('differ by one letter, whose page or section is named', async () => {
    const request = await requestOf('research', [pdf(third)]);
    const quote = { source_id: 'source-1', quote: third, start: JSON.stringify(request).length };
    const text = request.work.kind === 'research' ? (request.work.sources[0]?.text ?? '') : '';
    const found = await compare(request, [pdf(third.replace('nine', 'mine'))], [{ ...quote, start: text.indexOf(third) }]);
    assert.deepEqual(found.blocks, { same: 2, all: 3 });
    assert.deepEqual(found.quotes, { same: 0, all: 1, have_pages: true });
    assert.deepEqual(found.difference, { place: 'page 3', recorded: `"${third}"`, found: `"${third.replace('nine', 'mine')}"` });
    const written = (count: string): InputFile => file('notes.md', `# Boats\n\nThe clerk counted ${count}.`);
    const other = await compare(await requestOf('research', [written('nine')]), [written('ten')]);
    assert.equal(other.difference?.place, 'the section "Boats"');
  });

  it('differ where the result names another page of a quote', async () => {
    const request = await requestOf('research', [pdf(third)]);
    const text = request.work.kind === 'research' ? (request.work.sources[0]?.text ?? '') : '';
    const quote = { source_id: 'source-1', quote: third, start: text.indexOf(third) };
    assert.equal((await compare(request, [pdf(third)], [{ ...quote, page: 3 }])).same, true);
    const found = await compare(request, [pdf(third)], [{ ...quote, page: 2 }]);
    assert.deepEqual(
      [found.same, found.quotes, found.difference?.place],
      [false, { same: 0, all: 1, have_pages: true }, 'page 2'],
    );
  });

  it('are the same without the names of files', async () => {
    const request = await requestOf('research', [notes, pdf(third)], { names: false });
    const found = await compareFiles({ request, quotes: [] }, [pdf(third), notes]);
    assert.deepEqual(
      found.flatMap(({ file: name, same }) => [name, same]),
      ['notes.txt', true, 'report.pdf', true],
    );
  });
});
