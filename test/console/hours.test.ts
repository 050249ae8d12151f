/** The open hours that are typed into the form of a schedule. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decode } from '../../src/codec/kit.js';
import { isRefused } from '../../src/base/result.js';
import { calendarOf, form } from '../../src/console/operator/kinds/schedule/draft.js';
import { calendarText } from '../../src/kinds/schedule/clock.js';
import { calendar } from '../../src/kinds/schedule/civil.js';

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
    assert.deepEqual(calendarOf('mardi-mercredi 08:00-12:00\n2026-12-25 fermé'), {
      weekly: { tue: ['08:00-12:00'], wed: ['08:00-12:00'] },
      holidays: ['2026-12-25'],
    });
    assert.deepEqual(calendarOf('sat-mon 00:00-24:00'), {
      weekly: Object.fromEntries(['sat', 'sun', 'mon'].map((day) => [day, ['00:00-24:00']])),
    });
    assert.equal(calendarOf(' \n'), undefined);
  });

  it('are written as they are read', () => {
    const text = 'mon-fri 08:00-12:00 13:00-17:00\nsun 22:00-24:00\n2026-12-19 09:00-12:00\n2026-12-25 closed';
    assert.equal(calendarText(calendarOf(text)), text);
    const typed = form.fromWork({ start: '2026-12-07 08:00', calendar: calendarOf(text), jobs: [] });
    assert.equal(typed['calendar'], text);
    assert.deepEqual(form.valuesOf(typed)['calendar'], calendarOf(text));
  });

  it('are refused at the word that was not understood', () => {
    const pathsOf = (text: string): readonly string[] => {
      const decoded = decode(calendar, calendarOf(text));
      return isRefused(decoded) ? (decoded.left.errors ?? []).map(({ path }) => path) : [];
    };
    assert.deepEqual(pathsOf('moo 08:00-12:00'), ['weekly.moo']);
    assert.deepEqual(pathsOf('mon 08:00-25:00'), ['weekly.mon[0]']);
    assert.deepEqual(pathsOf('mon'), ['weekly.mon']);
    assert.deepEqual(pathsOf('mon 08:00-12:00\n2026-02-30 closed'), ['holidays[0]']);
  });
});
