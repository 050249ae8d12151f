/** Working time on the wall clock: generated shops beside a placement that goes through the minutes one by one. */
import assert from 'node:assert/strict';
import { prng } from '../../../src/base/prng.js';
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { type Calendar, clockOf, withCivilTimes } from '../../../src/kinds/schedule/clock.js';
import { scheduleSize } from '../../../src/kinds/schedule/size.js';
import { verifySchedule } from '../../../src/kinds/schedule/verify/verify.js';
import { scheduleWork, timed, type ScheduleWork } from '../../../src/kinds/schedule/work.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { scheduleContent } from '../../../src/reports/kinds/schedule.js';
import { inputOf, solve } from '../../engines/schedule-cases.js';

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const start = '2026-12-03 10:30';

/** A wall clock of minutes: whether the shop is open in the minute that begins at a moment. */
class Wall {
  readonly #calendar: Calendar | undefined;
  constructor(calendar: Calendar | undefined) {
    this.#calendar = calendar;
  }

  isOpen(at: Date): boolean {
    if (this.#calendar === undefined) return true;
    const [date = '', time = ''] = textOf(at).split(' ');
    const { weekly, holidays = [], extra = [] } = this.#calendar;
    const own = extra.find((day) => day.date === date)?.hours;
    const hours = own ?? (holidays.includes(date) ? [] : (weekly[names[at.getUTCDay()]!] ?? []));
    return hours.some((span) => time >= span.slice(0, 5) && time < span.slice(6));
  }
}

const textOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');
const momentOf = (text: string): Date => new Date(`${text.replace(' ', 'T')}:00Z`);
const later = (at: Date): Date => new Date(at.getTime() + 60_000);

/** Returns the open minutes from one moment until another, counted one by one. */
function openMinutes(wall: Wall, from: string, until: string): number {
  let count = 0;
  for (let at = momentOf(from); at < momentOf(until); at = later(at)) if (wall.isOpen(at)) count++;
  return count;
}

/** Returns the first and the last minute in which an operation is worked on, going through the minutes from the start of the schedule. */
function place(wall: Wall, from: number, to: number): { start_at: string; end_at: string } {
  let at = momentOf(start);
  let start_at = '';
  for (let worked = 0; worked < to; at = later(at)) {
    if (!wall.isOpen(at)) continue;
    if (worked === from) start_at = textOf(at);
    worked++;
  }
  return { start_at, end_at: textOf(at) };
}

function anyCalendar(seed: number): Calendar {
  const random = prng(seed, 1);
  const shifts = [
    ['06:00-14:00', '14:00-22:00'],
    ['08:00-12:00', '12:45-17:00'],
    ['22:00-24:00'],
    ['00:00-06:00', '22:00-24:00'],
    ['09:15-12:05', '13:00-18:30'],
  ];
  const weekly = Object.fromEntries(
    names.flatMap((name) => (random.below(4) === 0 ? [] : [[name, shifts[random.below(shifts.length)]!]])),
  );
  const dates = Array.from({ length: 12 }, (_, i) => `2026-12-${String(i + 3).padStart(2, '0')}`);
  const extra = dates.filter(() => random.below(5) === 0).map((date) => ({ date, hours: ['07:00-09:30', '10:00-11:00'] }));
  const holidays = dates.filter((date) => random.below(4) === 0 && !extra.some((day) => day.date === date));
  return { weekly: { mon: ['08:00-12:00'], ...weekly }, holidays, extra };
}

/** A shop with a calendar, in which release and due times are dates. */
function anyShop(seed: number): ScheduleWork {
  const random = prng(seed, 2);
  const moment = (): string =>
    `2026-12-${String(4 + random.below(10)).padStart(2, '0')} ${10 + random.below(10)}:${10 + random.below(50)}`;
  const jobs = Array.from({ length: 2 + random.below(4) }, (_, j) => ({
    id: `j${j}`,
    operations: Array.from({ length: 1 + random.below(3) }, (__, k) => ({
      machine: `m${random.below(3)}`,
      duration: random.below(5) === 0 && k > 0 ? 0 : 1 + random.below(400),
    })),
    ...(random.below(2) === 0 ? { release: moment() } : {}),
    ...(random.below(2) === 0 ? { due: moment() } : {}),
  }));
  return unwrap(decode(scheduleWork, { kind: 'schedule', jobs, start, calendar: anyCalendar(seed) }));
}

describe('schedule clock', () => {
  for (let seed = 1; seed <= 20; seed++) {
    it(`places shop ${seed} as the wall clock does`, () => {
      const work = anyShop(seed);
      const wall = new Wall(work.calendar);
      const input = { ...inputOf(timed(work)), work };
      const { result } = solve(input as never);
      assert.deepEqual(verifySchedule(input, result).failure, null);
      assert.ok(canonicalJson(result).length <= scheduleSize.result(work).bytes);
      for (const { start: from, end, start_at, end_at } of result.operations)
        if (end > from) assert.deepEqual({ start_at, end_at }, place(wall, from, end));
      for (const [j, { release, due }] of work.jobs.entries()) {
        const planned = timed(work).jobs[j]!;
        if (typeof release === 'string') assert.equal(planned.release, openMinutes(wall, start, release));
        if (typeof due === 'string') assert.equal(planned.due, openMinutes(wall, start, due));
      }
    });
  }

  it('refuses a clock time that is not that of the working time', () => {
    const work = anyShop(3);
    const input = { ...inputOf(timed(work)), work };
    const { result } = solve(input as never);
    const [first, ...rest] = result.operations;
    for (const change of [{ start_at: '2026-12-03 10:31' }, { end_at: '2026-12-03 10:31' }, { end_at: undefined }]) {
      const { failure } = verifySchedule(input, { ...result, operations: [{ ...first, ...change }, ...rest] });
      assert.match(failure ?? '', /^operations\[0\]/);
    }
  });

  it('says how many jobs are due before the start, whose lateness counts from it', () => {
    const due = ['2026-12-06', '2026-12-07T07:59', '2026-12-07 08:00', '2026-12-07'];
    const jobs = due.map((each, i) => ({ id: `j${i}`, due: each, operations: [{ machine: 'm', duration: 5 }] }));
    const work = unwrap(decode(scheduleWork, { kind: 'schedule', jobs, start: '2026-12-07 08:00' }));
    const { result } = solve({ ...inputOf(timed(work)), work } as never);
    assert.deepEqual(verifySchedule({ ...inputOf(timed(work)), work }, result).failure, null);
    const said = result.limits.find((text) => text.includes('due before'));
    assert.equal(said, '2 jobs are due before the start: the lateness counts from the start, in working time.');
    assert.doesNotMatch(scheduleContent({ work }, { ...result, makespan: 1 })?.chart?.svg ?? '08:0008:00', /(08:00).*\1/);
  });

  it('counts hours and days: whole days without a calendar, open days with one', () => {
    const calendar = { weekly: { mon: ['08:00-12:00', '13:00-17:00'], tue: ['08:00-12:00'], thu: ['10:00-15:00'] } };
    const of = (unit: string, open?: Calendar) => clockOf({ start: '2026-12-07 08:30', unit, calendar: open })!;
    const spans = (clock: ReturnType<typeof of>, ...times: number[]) =>
      times.map((time) => [clock.startAt(time), clock.endAt(time + 1)]);
    assert.deepEqual(spans(of('hours', calendar), 0, 3, 7), [
      ['2026-12-07 08:30', '2026-12-07 09:30'],
      ['2026-12-07 11:30', '2026-12-07 13:30'],
      ['2026-12-07 16:30', '2026-12-08 08:30'],
    ]);
    assert.deepEqual(spans(of('days'), 0, 1), [
      ['2026-12-07 08:30', '2026-12-08 08:30'],
      ['2026-12-08 08:30', '2026-12-09 08:30'],
    ]);
    const days = of('day', calendar);
    assert.deepEqual(spans(days, 0, 1, 2, 3), [
      ['2026-12-07 08:30', '2026-12-07 17:00'],
      ['2026-12-08 08:00', '2026-12-08 12:00'],
      ['2026-12-10 10:00', '2026-12-10 15:00'],
      ['2026-12-14 08:00', '2026-12-14 17:00'],
    ]);
    assert.deepEqual(
      ['2026-12-07', '2026-12-08 08:00', '2026-12-08 08:01', '2026-12-09'].map((at) => [days.release(at), days.due(at)]),
      [
        [0, 1],
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    );
    assert.deepEqual([of('hours', calendar).release('2026-12-07 10:00'), of('hours', calendar).due('2026-12-07 10:00')], [2, 1]);
    const pause = clockOf({ start: '2026-12-07 12:30', unit: 'days', calendar })!;
    assert.deepEqual([pause.startAt(0), pause.release('2026-12-07 12:45')], ['2026-12-07 13:00', 0]);
  });

  it('says where days begin and where work pauses', () => {
    const calendar = {
      weekly: { fri: ['08:00-12:00', '13:00-17:00'], mon: ['08:00-12:00'] },
      extra: [
        { date: '2026-12-12', hours: ['00:00-24:00'] },
        { date: '2026-12-13', hours: ['00:00-01:00'] },
      ],
    };
    const openings = clockOf({ start: '2026-12-11 11:00', unit: 'minutes', calendar })!.openings(2000);
    assert.deepEqual(
      openings.map(({ at, closed, open, isDay }) => [at, closed, open, isDay]),
      [
        [0, null, '2026-12-11 11:00', true],
        [60, '2026-12-11 12:00', '2026-12-11 13:00', false],
        [300, '2026-12-11 17:00', '2026-12-12 00:00', true],
        [1740, null, '2026-12-13 00:00', true],
        [1800, '2026-12-13 01:00', '2026-12-14 08:00', true],
      ],
    );
    const alone = clockOf({ start: '2026-12-11 11:00', unit: 'hours' })!.openings(14);
    assert.deepEqual(
      alone.map(({ at, closed }) => [at, closed]),
      [
        [0, null],
        [13, null],
      ],
    );
  });

  it('lets an operation without time be done when the one before it ends', () => {
    const clock = clockOf({ start: '2026-12-07 08:00', unit: 'hours', calendar: { weekly: { mon: ['08:00-12:00'] } } });
    const rows = [0, 1].map((operation) => ({ operation, start: operation * 4, end: 4 }));
    assert.deepEqual(
      withCivilTimes(rows, clock).map(({ start_at, end_at }) => [start_at, end_at]),
      [
        ['2026-12-07 08:00', '2026-12-07 12:00'],
        ['2026-12-07 12:00', '2026-12-07 12:00'],
      ],
    );
  });
});
