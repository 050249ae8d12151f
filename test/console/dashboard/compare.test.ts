/** Runs beside each other: their requests, their sectors, and which ones are chosen. */
import assert from 'node:assert/strict';
import { fieldRows, requestFields, sectorRows, toggled } from '../../../src/console/dashboard/pure/differences.js';
import { requestOf } from '../../support/app/simulation.js';
import { membersOf } from '../../support/lists.js';

const print = {
  number: String,
  curve: String,
  own: (value: string) => `own ${value}`,
  named: (count: string) => `${count} named`,
  generated: (count: string) => `${count} generated`,
  unused: 'unused',
};
type Row = ReturnType<typeof fieldRows>[number];
const rows = (...documents: readonly unknown[]): Row[] =>
  fieldRows(
    documents.map((document) => ({ request: requestOf(document), islands: ['main'] })),
    print,
  );
const cells = (all: readonly Row[], name: Row['field']): readonly string[] | undefined =>
  all.find(({ field }) => field === name)?.cells;
const differing = (all: readonly Row[]): string[] => all.filter(({ differs }) => differs).map(({ field }) => field);

describe('dashboard: differences of requests', () => {
  it('are none between equal requests, and every field is there', () => {
    const all = rows({}, {});
    assert.deepEqual(differing(all), []);
    assert.deepEqual(membersOf(all, 'field'), [...requestFields]);
  });
  it('are the fields that were changed', () => {
    assert.deepEqual(differing(rows({ horizon: 7, seed: 1 }, { horizon: 8, seed: 2 })), ['horizon', 'seed']);
    assert.deepEqual(cells(rows({ seed: 4_294_967_295 }), 'seed'), ['4294967295']);
    assert.deepEqual(differing(rows({ num_sectors: 3 }, { num_sectors: 4 })), ['sectors']);
  });
  it('show what the curve takes where nothing was given, and nothing where it takes none', () => {
    const all = rows({}, { curve: 'exponential', x0: 0.5 }, { curve: 'linear', k: 4, spread: 1 });
    assert.deepEqual(cells(all, 'k'), ['own 10', 'own 3', 'unused']);
    assert.deepEqual(cells(all, 'x0'), ['own 0', '0.5', 'unused']);
    assert.deepEqual(cells(all, 'spread'), ['1', '1', '1']);
    assert.ok(!differing(all).includes('spread'));
  });
  it('see sectors of the same number that are others, and leave out what a list makes idle', () => {
    const all = rows({ sectors: [{ name: 'a', energy: 2 }], energy: 9 }, { sectors: [{ name: 'a', energy: 3 }], energy: 8 });
    assert.deepEqual(differing(all), ['sectors']);
    assert.deepEqual(cells(all, 'energy'), ['unused', 'unused']);
    assert.deepEqual(cells(all, 'sectors')?.[0], '1 named');
  });
  it('see other islands', () => {
    const all = fieldRows(
      [['main'], ['east', 'west']].map((islands) => ({ request: requestOf({}), islands })),
      print,
    );
    assert.deepEqual(differing(all), ['islands']);
  });
});

describe('dashboard: disruption by sector', () => {
  it('has a row for each sector of any run; never is not the same as not there', () => {
    const run = (years: Readonly<Record<string, number | null>>) => ({
      sectors: Object.entries(years).map(([name, disrupted_year]) => ({ name, disrupted_year })),
    });
    assert.deepEqual(sectorRows([run({ a: 2, b: null }), run({ c: 1, a: 2 })]), [
      { name: 'a', years: [2, 2], differs: false },
      { name: 'b', years: [null, undefined], differs: true },
      { name: 'c', years: [undefined, 1], differs: true },
    ]);
  });
});

describe('dashboard: the runs to compare', () => {
  const id = (n: number): string => String(n).padStart(16, '0');
  it('come and go, and a seventh is not taken', () => {
    const six = [1, 2, 3, 4, 5, 6].map(id);
    assert.deepEqual(toggled(six, id(7)), six);
    assert.deepEqual(toggled(six, id(3)), [1, 2, 4, 5, 6].map(id));
    assert.deepEqual(toggled([id(1)], id(2)), [id(1), id(2)]);
  });
});
