/** Forms of the console: what is typed, the mission file that it makes, and the field that a fault belongs to. */
import assert from 'node:assert/strict';
import { kinds } from '../../src/codec/kinds.js';
import { fieldFor, isWithin } from '../../src/console/kit/forms/labels.js';
import { defaultText, isOptional, numberOf, numbersOf } from '../../src/console/kit/forms/values.js';
import { faultsOf, emptyCommon, requestOf } from '../../src/console/operator/create/request.js';
import { plainMembers, workFields } from '../../src/console/operator/kinds/shared/draft.js';
import * as allocation from '../../src/console/operator/kinds/allocation/draft.js';
import * as code from '../../src/console/operator/kinds/code/draft.js';
import * as forecast from '../../src/console/operator/kinds/forecast/draft.js';
import * as research from '../../src/console/operator/kinds/research/draft.js';
import * as schedule from '../../src/console/operator/kinds/schedule/draft.js';
import { exampleText } from '../../src/app/missions/examples.js';
import { decode } from '../../src/codec/kit.js';
import { isRefused } from '../../src/base/refusal.js';
import { calendar } from '../../src/kinds/schedule/civil.js';
import { calendarOf, calendarText } from '../../src/kinds/schedule/open-hours.js';

describe('console: forms', () => {
  it('make the mission file, and leave out what is blank', () => {
    const items = [['a', '', '1', ' 2.5 ', '', '', 'b, c'], [' ', ''], []];
    const values = allocation.form.valuesOf({ budget: '10', max_risk: '', unit: '', items });
    assert.deepEqual(requestOf('allocation', { ...emptyCommon, goal: 'g', seed: '7' }, values), {
      goal: 'g',
      seed: 7,
      work: { kind: 'allocation', budget: 10, items: [{ id: 'a', cost: 1, value: 2.5, requires: ['b', 'c'] }] },
    });
  });
  it('leave to the codec what is no number', () => {
    const cases = [
      ['', undefined],
      [' 12 ', 12],
      ['-1e3', -1000],
      ['.5', 0.5],
      ['1,5', '1,5'],
      ['0x10', '0x10'],
      ['Infinity', 'Infinity'],
      ['1e999', '1e999'],
    ] as const;
    for (const [text, value] of cases) assert.equal(numberOf(text), value);
    const values = schedule.form.valuesOf({
      objective: 'makespan',
      unit: '',
      start: '',
      calendar: '',
      jobs: [['j', '', 'saw', '3'], [], ['j', '', 'saw', 'x'], ['j', '', 'saw']],
    });
    const paths = faultsOf(requestOf('schedule', emptyCommon, values)).map(({ path }) => path);
    assert.deepEqual(paths, ['goal', 'work.jobs[0].operations[1].duration', 'work.jobs[0].operations[2].duration']);
  });
  it('never take a comma between two digits for a separator', () => {
    const cases = [
      ['12,5', ['12,5']],
      ['12,5 13,25', ['12,5', '13,25']],
      ['1, 2,\n3;4 5', [1, 2, 3, 4, 5]],
      ['1,-2, .5 ,', [1, -2, 0.5]],
      ['1,2,3', ['1,2,3']],
      [' , ', []],
    ] as const;
    for (const [text, values] of cases) assert.deepEqual(numbersOf(text), values, text);
    const observations = [...Array.from({ length: 12 }, () => ['1']), ['12,5']];
    const draft = { ...forecast.form.empty, observations, horizon: '3', levels: '50,80' };
    const request = requestOf('forecast', { ...emptyCommon, goal: 'a goal' }, forecast.form.valuesOf(draft));
    const paths = faultsOf(request).map(({ path }) => path);
    assert.deepEqual(paths, ['work.observations[12]', 'work.levels[0]']);
  });
  it('take the members of every kind that a reader may leave out', () => {
    const draft = { ...forecast.form.empty, observations: [['1'], ['2'], ['3'], ['']], seasons: '4 6', season: 'auto' };
    assert.deepEqual(requestOf('forecast', { ...emptyCommon, goal: 'g' }, forecast.form.valuesOf(draft)), {
      goal: 'g',
      work: { kind: 'forecast', observations: [1, 2, 3], season: 'auto', seasons: [4, 6] },
    });
    assert.deepEqual(
      requestOf('code', emptyCommon, code.form.valuesOf({ ...code.form.empty, heldout: '[{"args": [1], "expected": 2}]' })),
      {
        goal: '',
        work: { kind: 'code', language: 'python', heldout: [{ args: [1], expected: 2 }] },
      },
    );
    assert.deepEqual(
      requestOf('research', emptyCommon, research.form.valuesOf({ sources: [{ id: 's', title: 't', text: ' x', url: '' }] })),
      {
        goal: '',
        work: { kind: 'research', sources: [{ id: 's', title: 't', text: ' x' }] },
      },
    );
  });
  it('show what a blank field means', () => {
    const { horizon, levels, season, seasons } = workFields('forecast');
    assert.deepEqual([horizon, levels, season, seasons].map(defaultText), ['3', '50 80 95', 'auto', undefined]);
    assert.deepEqual([horizon, seasons, workFields('code').candidate, workFields('code').heldout].map(isOptional), [
      false,
      true,
      true,
      false,
    ]);
    assert.deepEqual(plainMembers('allocation', 'items'), ['budget', 'max_risk', 'unit']);
  });
  it('accept the examples', () => {
    for (const kind of kinds) assert.deepEqual(faultsOf(JSON.parse(exampleText(kind))), []);
  });
  it('find the field of a fault', () => {
    const fields = ['goal', 'work.jobs[0].id', 'work.jobs[0].operations', 'work.jobs[1].operations'];
    assert.equal(fieldFor('work.jobs[0].operations[2].duration', fields), 'work.jobs[0].operations');
    assert.equal(fieldFor('work.jobs', fields), null);
    assert.equal(isWithin('work.jobs[10]', 'work.jobs[1]'), false);
  });
});

describe("a code mission's cases in the form", () => {
  for (const text of ['[5.0]', '[1e3]', '[-0]', '{"a": 2.00}', '[1, "5.0", 15e-1, 3.0]', '[1E+2]'])
    it(`keep ${text} as text`, () => assert.deepEqual(code.isRewritten(text), true));
  for (const text of ['', '[5]', '[-3, 0, 0.5, 2.5e-1]', '["5.0", "\\"1e3"]', '{"1.0": 1}', 'no JSON'])
    it(`are ${text === '' ? 'blank' : text}`, () => assert.deepEqual(code.isRewritten(text), false));

  it('are sent as a list otherwise', () => {
    const [good, bad] = ['[{"args": [1], "expected": 2}]', '[{"args": [1.0], "expected": 2}]'];
    assert.deepEqual(code.form.valuesOf({ ...code.form.empty, examples: good, heldout: bad }), {
      language: 'python',
      candidate: undefined,
      examples: [{ args: [1], expected: 2 }],
      heldout: bad,
    });
  });
});

const week = ['08:00-12:00', '13:00-17:00'];

describe('console: open hours', () => {
  it('are lines of days and dates', () => {
    const text =
      'Mon - Thu 8:00-12:00, 13:00-17:00\nfri 08:00-12:00\nfri 13:00–17:00; 2026-12-19 09:00-12:00\n2026-12-25 closed\nsun closed';
    assert.deepEqual(calendarOf(text), {
      weekly: { mon: week, tue: week, wed: week, thu: week, fri: week },
      holidays: ['2026-12-25'],
      extra: [{ date: '2026-12-19', hours: ['09:00-12:00'] }],
    });
    for (const text of ['mon-tue 8-17', 'lu-ma: 8h-17h', 'Mo.-Dienstag 8.00 - 17.00 Uhr'])
      assert.deepEqual(calendarOf(text), { weekly: { mon: ['08:00-17:00'], tue: ['08:00-17:00'] } });
    assert.deepEqual(calendarOf('mardi-mercredi 08:00-12:00\n2026-12-25 fermé'), {
      weekly: { tue: ['08:00-12:00'], wed: ['08:00-12:00'] },
      holidays: ['2026-12-25'],
    });
    assert.deepEqual(calendarOf('Sa-mo 00:00-24:00'), {
      weekly: Object.fromEntries(['sat', 'sun', 'mon'].map((day) => [day, ['00:00-24:00']])),
    });
    assert.equal(calendarOf(' \n'), undefined);
  });

  it('are written as they are read', () => {
    const text = 'mon-fri 08:00-12:00 13:00-17:00\nsun 22:00-24:00\n2026-12-19 09:00-12:00\n2026-12-25 closed';
    assert.equal(calendarText(calendarOf(text)), text);
    const typed = schedule.form.fromWork({ start: '2026-12-07 08:00', calendar: calendarOf(text), jobs: [] });
    assert.equal(typed['calendar'], text);
    assert.deepEqual(schedule.form.valuesOf(typed)['calendar'], calendarOf(text));
  });

  it('are refused at the word that was not understood', () => {
    const errorsOf = (text: string) => {
      const decoded = decode(calendar, calendarOf(text));
      return isRefused(decoded) ? (decoded.left.errors ?? []) : [];
    };
    const pathsOf = (text: string): readonly string[] => errorsOf(text).map(({ path }) => path);
    assert.deepEqual(errorsOf('moo 08:00-12:00'), [
      { path: 'weekly.moo', message: 'must be a day: mon, tue, wed, thu, fri, sat or sun' },
    ]);
    assert.deepEqual(pathsOf('mon 08:00-25:00'), ['weekly.mon[0]']);
    assert.deepEqual(pathsOf('mon'), ['weekly.mon']);
    assert.deepEqual(pathsOf('di 8-17'), ['weekly.di'], 'dimanche or Dienstag');
    assert.deepEqual(pathsOf('mon 08:00-12:00\n2026-02-30 closed'), ['holidays[0]']);
  });
});
