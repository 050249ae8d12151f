/** Tables pasted from a spreadsheet, and the names of fields in what the form says. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { kinds, type Kind } from '../../src/codec/kinds.js';
import { labelOf, type Labels } from '../../src/console/kit/forms/labels.js';
import { kitWords } from '../../src/console/kit/text/words.js';
import { faultsOf, commonOf, requestOf } from '../../src/console/operator/create/request.js';
import { rowFields, type DraftOf, type ValuesOf } from '../../src/console/operator/kinds/shared/work.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { columnsOf, readSheet, sheetRows, type SheetReading } from '../../src/console/kit/forms/sheet.js';
import * as allocation from '../../src/console/operator/kinds/allocation/draft.js';
import * as code from '../../src/console/operator/kinds/code/draft.js';
import * as forecast from '../../src/console/operator/kinds/forecast/draft.js';
import { readSeries, stepBetween } from '../../src/console/operator/kinds/forecast/sheet.js';
import { words as forecastWords } from '../../src/console/operator/kinds/forecast/words.js';
import * as research from '../../src/console/operator/kinds/research/draft.js';
import * as schedule from '../../src/console/operator/kinds/schedule/draft.js';
import { jobColumns, jobsOf } from '../../src/console/operator/kinds/schedule/draft.js';
import { en } from '../../src/console/operator/text/en.js';
import { missionKind } from '../../src/kinds/table.js';

const { words } = kitWords.en.sheet;
const itemWords = kindWords.allocation.en.fields.items.members;
const names = ['id', 'cost', 'value', 'risk', 'group', 'requires', 'excludes'] as const;
const items = (text: string): SheetReading =>
  readSheet(text, columnsOf(names, rowFields('allocation', 'items'), itemWords), words);
const textsOf = (reading: SheetReading): unknown[] =>
  'faults' in reading ? assert.fail(JSON.stringify(reading.faults)) : reading.entries.map(({ texts }) => texts);
const faultsIn = (reading: object): string[] =>
  (reading as { faults: { row: number | null; column: string | null; message: string }[] }).faults.map(
    ({ row, column, message }) => `${row ?? '-'} ${column ?? '-'}: ${message}`,
  );

describe('console: pasted tables', () => {
  it('are read with tabs, semicolons or commas, and with quoted cells', () => {
    const rows = (text: string): unknown => sheetRows(text)?.map(({ number, cells }) => [number, ...cells]);
    assert.deepEqual(rows('a\tb, c\r\nd\te'), [
      [1, 'a', 'b, c'],
      [2, 'd', 'e'],
    ]);
    assert.deepEqual(rows('a;b\n\n"c;""d""\ne";f\n'), [
      [1, 'a', 'b'],
      [3, 'c;"d"\ne', 'f'],
    ]);
    assert.deepEqual(rows('"x,y",z'), [[1, 'x,y', 'z']]);
    assert.equal(rows('a,"b'), undefined);
    assert.deepEqual(rows(' \n\t\n'), []);
  });

  it('give back any cells that were written as CSV', () => {
    const cell = fc.string({ maxLength: 6 }).map((text) => `x${text.replaceAll('\r', ' ').trim()}`);
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const text = rows.map((cells) => cells.map(quoted).join(';')).join('\n');
        assert.deepEqual(
          sheetRows(text)?.map(({ cells }) => cells),
          rows.map((cells) => cells.map((each) => each.trim())),
        );
      }),
    );
  });

  it('have the columns of the form, or those that the first row names, in any order', () => {
    const blank = { risk: '', group: '', requires: '', excludes: '' };
    assert.deepEqual(textsOf(items('roof\t6\t9\ndoor\t3\t4.5\t2')), [
      { id: 'roof', cost: '6', value: '9', ...blank },
      { id: 'door', cost: '3', value: '4.5', ...blank, risk: '2' },
    ]);
    assert.deepEqual(textsOf(items('Value,Id,Cost,requires\n9,roof,6,"door wall"')), [
      { id: 'roof', cost: '6', value: '9', ...blank, requires: 'door wall' },
    ]);
  });

  it('are refused with every fault by row and column', () => {
    assert.deepEqual(faultsIn(items('Id\tCost\tValue\nroof\t6\t9\n\n\tx\t9\n')), [
      '4 Id: is blank',
      '4 Cost: must be a number from 1 to 1000000000000',
    ]);
    assert.deepEqual(faultsIn(items('a b\t1,5\t9\n'))[1], '1 Cost: must be a number from 1 to 1000000000000');
    assert.deepEqual(faultsIn(items('Id\tPrice\tCost\tCost\nroof\t1\t2\t3')), [
      '1 Price: is not a column of this table',
      '1 Cost: appears twice',
      '1 Value: this column is missing',
    ]);
    assert.deepEqual(faultsIn(items('a\t1\t2\t3\tg\tb\tc\tmore')), ['1 -: has more than 7 columns']);
    assert.deepEqual(faultsIn(items(' \n')), ['- -: No row has values.']);
    assert.deepEqual(faultsIn(items('Id\tCost\tValue')), ['- -: No row has values.']);
    assert.deepEqual(faultsIn(items('"a')), ['- -: A quotation mark is not closed.']);
  });
});

describe('console: pasted jobs', () => {
  const labels = {
    job: 'Job',
    machine: 'Machine',
    duration: 'Duration',
    release: 'Earliest start',
    due: 'Due',
    weight: 'Weight',
  };
  const jobs = (text: string): object => {
    const reading = readSheet(text, jobColumns(labels), words);
    return 'faults' in reading ? reading : jobsOf(reading.entries, labels, 'differs');
  };
  it('have an operation in each row, in the order of the rows', () => {
    assert.deepEqual(jobs('job\tmachine\tduration\tdue\nA\tsaw\t3\t20\nB\tsaw\t2\t\nA\tdrill\t4\t'), {
      jobs: [
        { id: 'A', title: '', operations: 'saw 3\ndrill 4', release: '', due: '20', weight: '' },
        { id: 'B', title: '', operations: 'saw 2', release: '', due: '', weight: '' },
      ],
    });
  });
  it('are refused where rows of a job differ, or a cell is wrong', () => {
    assert.deepEqual(faultsIn(jobs('A\tsaw\t3\t\t20\nA\tdrill\t4\t\t21')), ['2 Due: differs']);
    assert.deepEqual(faultsIn(jobs('A\tsaw\tlong\nA\t\t4')), [
      '1 Duration: must be an integer from 1 to 100000',
      '2 Machine: is blank',
    ]);
  });
});

describe('console: pasted series', () => {
  const own = forecastWords.en.form.sheet;
  const read = (text: string): object => readSeries(text, words, own);
  it('are a column of values, with or without a head', () => {
    assert.deepEqual(read('Visitors\n433\n362\n\n376.5'), { series: { values: ['433', '362', '376.5'], dates: null } });
    assert.deepEqual(read('1\n2'), { series: { values: ['1', '2'], dates: null } });
  });
  it('take the first date and the step from a column of dates', () => {
    assert.deepEqual(read('Month\tVisitors\n2023-12-31\t1\n2024-01-31\t2\n2024-02-29\t3'), {
      series: { values: ['1', '2', '3'], dates: { start: '2023-12-31', step: { unit: 'month', count: 1 } } },
    });
    assert.deepEqual(stepBetween('2026-01-05', '2026-01-12'), { unit: 'week', count: 1 });
    assert.deepEqual(stepBetween('2026-01-05', '2026-01-15'), { unit: 'day', count: 10 });
    assert.deepEqual(stepBetween('2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z'), { unit: 'hour', count: 6 });
    assert.deepEqual(stepBetween('2020-01-01', '2025-01-01'), { unit: 'year', count: 5 });
    assert.equal(stepBetween('2026-01-05', '2026-01-04'), null);
  });
  it('are refused with the row of what is no number, no date, or out of step', () => {
    assert.deepEqual(faultsIn(read('1\n2,5\n3')).length > 0, true);
    assert.deepEqual(faultsIn(read('1\nmany\n3')), [`2 Value: ${own.notNumber}`]);
    assert.deepEqual(faultsIn(read('2026-01-01\t1\n1.2.2026\t2\n2026-01-03\t')), [`2 Date: ${own.notDate}`, '3 Value: is blank']);
    assert.deepEqual(faultsIn(read('2026-01-01\t1\n2026-01-02\t2\n2026-01-04\t3')), [`3 Date: ${own.irregular('2026-01-03')}`]);
    assert.deepEqual(faultsIn(read('2026-01-01\t1\tx')), ['1 -: has more than 2 columns']);
  });
});

describe('console: examples', () => {
  const drafts = {
    research: research.draft,
    allocation: allocation.draft,
    schedule: schedule.draft,
    forecast: forecast.draft,
    code: code.draft,
  };
  interface Draft<K extends Kind> {
    readonly fromWork: (work: Readonly<Record<string, unknown>>) => DraftOf<K>;
    readonly valuesOf: (draft: DraftOf<K>) => ValuesOf<K>;
  }
  const again = <K extends Kind>(kind: K, { fromWork, valuesOf }: Draft<K>): unknown => {
    const { work, ...rest } = missionKind(kind).example;
    return requestOf(kind, commonOf(rest), valuesOf(fromWork(work)));
  };
  for (const kind of kinds)
    it(`fill the form so that it makes the same mission: ${kind}`, () => {
      const request = again(kind, drafts[kind] as unknown as Draft<Kind>);
      assert.deepEqual(faultsOf(request), []);
      const { kind: _, ...work } = (request as { work: Record<string, unknown> }).work;
      const { kind: __, ...expected } = missionKind(kind).example.work;
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(work[name], value, name);
      assert.equal((request as { goal: string }).goal, missionKind(kind).example.goal);
    });
});

describe('console: names of fields', () => {
  const labels: Labels = { ...en.create.fields, work: { label: '', members: kindWords.allocation.en.fields } };
  it('take the place of paths', () => {
    const cases = [
      ['goal', 'Goal'],
      ['work.items[0].id', 'Item 1, Id'],
      ['work.items[11].requires[2]', 'Item 12, Requires, 3'],
      ['work.items', 'Items'],
      ['work.items[3]', 'Item 4'],
      ['work.nothing[1].x', 'nothing, 2, x'],
      ['work', ''],
      ['', ''],
      ['constructor', 'constructor'],
    ] as const;
    for (const [path, name] of cases) assert.equal(labelOf(path, labels), name, path);
    const dated: Labels = { work: { label: '', members: kindWords.forecast.en.fields } };
    assert.equal(labelOf('work.step.count', dated), 'Dates, Length of a step');
    assert.equal(labelOf('work.observations[4]', dated), 'Observations, 5');
  });
});
