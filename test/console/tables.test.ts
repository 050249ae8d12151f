/** Tables of the forms: the rows that a mission file has, the mission file that rows make, and the cell of a path. */
import assert from 'node:assert/strict';
import * as allocation from '../../src/console/operator/kinds/allocation/draft.js';
import * as forecast from '../../src/console/operator/kinds/forecast/draft.js';
import * as schedule from '../../src/console/operator/kinds/schedule/draft.js';
import { missionKind } from '../../src/kinds/table.js';
import type { Cells } from '../../src/console/kit/grid/cells.js';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const itemsOf = (items: Cells): unknown => json(allocation.form.valuesOf({ ...allocation.form.empty, items })['items']);
const jobsOf = (jobs: Cells): Record<string, unknown> =>
  json(schedule.form.valuesOf({ ...schedule.form.empty, jobs })) as Record<string, unknown>;

const itemsIn = (work: Readonly<Record<string, unknown>>): Cells => allocation.form.fromWork(work)['items'] as Cells;

describe('console: the table of items', () => {
  const read = [
    { id: 'P-01', title: 'River clean-up', cost: 5, value: 2, excludes: ['item-2'] },
    { id: 'item-2', title: 'Night school', cost: 6, value: 3, requires: ['P-01'], group: 'Culture' },
  ];

  it('shows titles in place of ids that nobody gave, and keeps these', () => {
    const items = itemsIn({ items: read });
    assert.deepEqual(
      items.map((row) => row.slice(0, 8)),
      [
        ['P-01', 'River clean-up', '5', '2', '', '', '', 'Night school'],
        ['', 'Night school', '6', '3', '', 'Culture', 'P-01', ''],
      ],
    );
    assert.deepEqual(itemsOf(items), read);
  });

  it('makes an id for an item that has a title only, and finds items by it', () => {
    const rows = [
      ['', 'Roof repair', '5', '2'],
      ['', 'New door', '6', '3', '', '', 'Roof repair'],
    ];
    assert.deepEqual(itemsOf(rows), [
      { id: 'item-1', title: 'Roof repair', cost: 5, value: 2 },
      { id: 'item-2', title: 'New door', cost: 6, value: 3, requires: ['item-1'] },
    ]);
  });

  it('keeps an id as a reference where the title would be read as two', () => {
    const items = itemsIn({
      items: [
        { id: 'item-1', title: 'Roof, north', cost: 1, value: 1 },
        { id: 'b', cost: 1, value: 1, requires: ['item-1'] },
      ],
    });
    assert.equal(items[1]?.[6], 'item-1');
    assert.deepEqual((itemsOf(items) as { requires?: unknown }[])[1]?.requires, ['item-1']);
  });

  it('takes a mark for an item that must be chosen, and leaves other texts to the codec', () => {
    const items = itemsIn({ items: [{ id: 'a', cost: 1, value: 1, required: true }] });
    assert.equal(items[0]?.[8], 'x');
    const required = ['x', 'Oui', 'no', '', 'perhaps'].map((mark) => ['a', '', '', '', '', '', '', '', mark]);
    assert.deepEqual(
      (itemsOf(required) as { required?: unknown }[]).map((item) => item.required),
      [true, true, undefined, undefined, 'perhaps'],
    );
  });

  it('leads from a path to the cell, also below blank rows', () => {
    const cellOf = allocation.form.tables!['items']!.cellOf([['a'], [], ['b']]);
    assert.deepEqual(cellOf('work.items[1].cost'), { row: 2, col: 2 });
    assert.deepEqual(cellOf('work.items[0]'), { row: 0, col: 0 });
    assert.equal(cellOf('work.items'), null);
  });
});

describe('console: the table of jobs', () => {
  const read = {
    jobs: [
      { id: 'job-1', title: 'Rahmen Größe 7', operations: [{ machine: 'machine-1', duration: 35 }], due: 90 },
      {
        id: 'WO-2',
        title: 'Door',
        operations: [
          { machine: 'machine-2', duration: 20 },
          { machine: 'saw', duration: 5 },
        ],
      },
    ],
    machines: [
      { id: 'machine-1', title: 'Säge Süd' },
      { id: 'machine-2', title: 'Sage Sud' },
    ],
  };

  it('shows jobs and machines by their names, and keeps the ids that were made for them', () => {
    const jobs = schedule.form.fromWork(read)['jobs'] as Cells;
    assert.deepEqual(
      jobs.map((row) => row.slice(0, 7)),
      [
        ['Rahmen Größe 7', '', 'Säge Süd', '35', '', '90', ''],
        ['WO-2', 'Door', 'Sage Sud', '20', '', '', ''],
        ['WO-2', 'Door', 'saw', '5', '', '', ''],
      ],
    );
    const { jobs: made, machines } = jobsOf(jobs);
    assert.deepEqual({ jobs: made, machines }, read);
  });

  it('makes ids for other names, one for equal names', () => {
    const { jobs, machines } = jobsOf([
      ['Oar blade', '', 'Glue press', '30'],
      ['tiller', '', 'saw', '8'],
      ['Oar blade', '', 'Glue press', '25'],
    ]);
    assert.deepEqual(jobs, [
      {
        id: 'job-1',
        title: 'Oar blade',
        operations: [
          { machine: 'machine-1', duration: 30 },
          { machine: 'machine-1', duration: 25 },
        ],
      },
      { id: 'tiller', operations: [{ machine: 'saw', duration: 8 }] },
    ]);
    assert.deepEqual(machines, [{ id: 'machine-1', title: 'Glue press' }]);
  });

  it('leaves to the codec what rows of a job contradict each other in', () => {
    const { jobs } = jobsOf([
      ['a', '', 'saw', '3', '', '9'],
      ['a', '', 'saw', '4', '', '10'],
    ]);
    assert.equal((jobs as { due: unknown }[])[0]?.due, '9 / 10');
  });

  it('leads from a path to the cell', () => {
    const cellOf = schedule.form.tables!['jobs']!.cellOf([
      ['a', '', 'saw', '3'],
      ['b', '', 'saw', '1'],
      ['a', '', 'saw', 'x', '', '9'],
    ]);
    assert.deepEqual(cellOf('work.jobs[0].operations[1].duration'), { row: 2, col: 3 });
    assert.deepEqual(cellOf('work.jobs[0].due'), { row: 2, col: 5 });
    assert.deepEqual(cellOf('work.jobs[1].id'), { row: 1, col: 0 });
    assert.equal(cellOf('work.jobs'), null);
  });
});

describe('console: the table of observations', () => {
  it('takes a blank cell for a gap, and ends with the last value', () => {
    const values = forecast.form.valuesOf({ ...forecast.form.empty, observations: [['1'], [''], ['3,5'], [''], []] });
    assert.deepEqual(values['observations'], [1, null, '3,5']);
    assert.deepEqual(forecast.form.fromWork({ observations: [1, null, 2] })['observations'], [['1'], [''], ['2']]);
    assert.deepEqual(forecast.form.tables!['observations']!.cellOf([])('work.observations[7]'), { row: 7, col: 0 });
  });
});

describe('console: the tables', () => {
  for (const kind of ['allocation', 'schedule', 'forecast'] as const)
    it(`give back the example of ${kind}`, () => {
      const { work } = missionKind(kind).example;
      const view = { allocation, schedule, forecast }[kind].form;
      const made = json(view.valuesOf(view.fromWork(work))) as Record<string, unknown>;
      const member = { allocation: 'items', schedule: 'jobs', forecast: 'observations' }[kind];
      assert.deepEqual(made[member], json((work as Record<string, unknown>)[member]));
    });
});
