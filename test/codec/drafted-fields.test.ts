/** The members of a request that was read from a file: titles, gaps, blocks, civil times and provenance. */
import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/bytes.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { decode } from '../../src/codec/kit.js';
import type { Kind } from '../../src/codec/kinds.js';
import { missionRequest } from '../../src/kinds/request.js';
import { minimal } from '../support/codec/mission-samples.js';
import { membersOf } from '../support/lists.js';

type Members = Readonly<Record<string, unknown>>;

const with_ = (kind: Kind, work: Members, rest: Members = {}): unknown => ({
  ...minimal(kind),
  ...rest,
  work: { ...(minimal(kind)['work'] as Members), ...work },
});
const accepts = (document: unknown): void => void unwrap(decode(missionRequest, document));
const refuses = (document: unknown, ...paths: readonly string[]): void => {
  const decoded = decode(missionRequest, document);
  assert.ok(isRefused(decoded), 'accepted');
  assert.deepEqual(membersOf(decoded.left.errors ?? [], 'path'), paths);
};
const hashOf = (document: unknown): string => sha256Hex(canonicalText(missionRequest, unwrap(decode(missionRequest, document))));

describe('mission: members that files give', () => {
  it('leave the hash of a request without them as it was', () => {
    assert.deepEqual(
      (['research', 'allocation', 'schedule', 'forecast', 'code'] as const).map((kind) => hashOf(minimal(kind))),
      [
        '3f934d28f96d68f43919db322724bd719577630fb530201b75b723455580ec7c',
        '166af2b8c7caf00dbc3a09e5d6b9e68d8745086e141f7a397d071b3c2f73880a',
        '50049f1ab149cd7538b2677c12e3bae2920de2877cadbaae1757f8327bf46c4f',
        'faf7873d839a8c6d4a3fbc6ce30a08bbd926204a04e88afe1b3d3f7ac53fee57',
        '38d60bfc6f70029a19da3d8d21a9a83c074c7b6b2802cde29d1edae88a78aab3',
      ],
    );
  });

  it('are kept as they are given', () => {
    const job = { id: 'j1', title: 'Tür „Nord“', operations: [{ machine: 'm1', duration: 1 }], due: '2026-12-01 16:00' };
    const document = with_('schedule', { jobs: [job], machines: [{ id: 'm1', title: 'Säge Süd' }], start: '2026-11-30 08:00' });
    const { work } = unwrap(decode(missionRequest, document));
    assert.ok(work.kind === 'schedule');
    assert.deepEqual(work.jobs, [{ ...job, release: 0, weight: 1 }]);
    assert.deepEqual([work.machines, work.start], [[{ id: 'm1', title: 'Säge Süd' }], '2026-11-30 08:00']);
  });
});

describe('mission: titles of machines', () => {
  it('belong to machines that operations visit, each named once', () => {
    const named = (...ids: readonly string[]): unknown =>
      with_('schedule', { machines: ids.map((id) => ({ id, title: 'Saw' })) });
    accepts(named('m1'));
    refuses(named('m2'), 'work.machines[0].id');
    refuses(named('m1', 'm1'), 'work.machines[1].id');
  });
});

describe('mission: gaps', () => {
  const series = (count: number, ...gaps: readonly number[]): (number | null)[] =>
    Array.from({ length: count }, (_, i) => (gaps.includes(i) ? null : i));

  it('need a meaning, and only they do', () => {
    accepts(with_('forecast', { observations: series(14, 0, 13), gaps: 'zero' }));
    refuses(with_('forecast', { observations: series(14, 3) }), 'work.gaps');
    refuses(with_('forecast', { gaps: 'zero' }), 'work.gaps');
    refuses(with_('forecast', { observations: series(14, 3), gaps: 'mean' }), 'work.gaps');
  });

  it('leave enough values to estimate from and to measure on', () => {
    const gapped = (observations: readonly (number | null)[], holdout = 4): unknown =>
      with_('forecast', { observations, gaps: 'previous', holdout });
    refuses(gapped(series(12, 3)), 'work.observations');
    accepts(gapped(series(14, 10, 11)));
    refuses(gapped(series(16, 12, 13, 14)), 'work.holdout');
    refuses(gapped(series(18, 0, 1, 2, 3, 4), 6), 'work.observations');
  });
});

describe('mission: steps of business days and ends of months', () => {
  const dated = (start: string, unit: string): unknown => with_('forecast', { start, step: { unit } });

  it('begin on such a day', () => {
    accepts(dated('2026-11-30', 'business_day'));
    refuses(dated('2026-11-29', 'business_day'), 'work.start');
    accepts(dated('2024-02-29', 'month_end'));
    refuses(dated('2024-02-28', 'month_end'), 'work.start');
  });
});

describe('mission: blocks of a source', () => {
  const text = 'Fees\n\nThe fee is 5.\nThe tax is 1.';
  const blocks = [
    { type: 'heading', start: 0, end: 4, page: 1 },
    { type: 'paragraph', start: 6, end: 19, page: 2, under: ['Fees'] },
    { type: 'table_row', start: 20, end: 33, header: ['Tax'] },
  ];
  const sourceOf = (change: Members): unknown =>
    with_('research', { sources: [{ id: 's1', title: 't', text, blocks, ...change }] });

  it('hold the whole text, in its order', () => {
    accepts(sourceOf({}));
    accepts(sourceOf({ text: `${text}\n` }));
    const [heading, paragraph, row] = blocks;
    refuses(sourceOf({ blocks: [heading, row] }), 'work.sources[0].blocks[1].start');
    refuses(sourceOf({ blocks: [paragraph, row] }), 'work.sources[0].blocks[0].start');
    refuses(sourceOf({ blocks: [heading, paragraph] }), 'work.sources[0].blocks');
    refuses(sourceOf({ blocks: [heading, { ...paragraph, start: 3 }, row] }), 'work.sources[0].blocks[1].start');
    refuses(sourceOf({ blocks: [heading, { ...paragraph, end: 20 }, row] }), 'work.sources[0].blocks[2].start');
    refuses(sourceOf({ blocks: [heading, paragraph, { ...row, end: 34 }] }), 'work.sources[0].blocks[2].end');
    refuses(sourceOf({ blocks: [{ ...heading, end: 0 }, paragraph, row] }), 'work.sources[0].blocks[0].end');
  });

  it('do not cut a character in two', () => {
    const halves = [
      { type: 'paragraph', start: 0, end: 1 },
      { type: 'paragraph', start: 1, end: 2 },
    ];
    refuses(sourceOf({ text: '😀', blocks: halves }), 'work.sources[0].blocks[1].start');
  });

  it('have a header only as rows of a table', () => {
    refuses(sourceOf({ blocks: [blocks[0], { ...blocks[1], header: ['x'] }, blocks[2]] }), 'work.sources[0].blocks[1].header');
  });
});

describe('mission: provenance', () => {
  const file = { sha256: 'a'.repeat(64), bytes: 12, reader: 'csv', version: 1, notes: [] };
  const from = (...files: readonly unknown[]): Members => ({ provenance: { files } });

  it('lists the files, their names left out if their owner wishes', () => {
    accepts(with_('allocation', {}, from(file)));
    accepts(
      with_('allocation', {}, from({ ...file, name: 'a.csv', sheet: 'S', mapping: { Score: 'value' }, choices: {}, rows: 3 })),
    );
    refuses(with_('allocation', {}, from()), 'provenance.files');
    refuses(
      with_('allocation', {}, from({ ...file, sha256: 'x', version: 0 })),
      'provenance.files[0].sha256',
      'provenance.files[0].version',
    );
    refuses(with_('allocation', {}, from({ ...file, path: '/home' })), 'provenance.files[0].path');
  });

  it('holds the file of each source', () => {
    const sources = [{ id: 's1', title: 't', text: 'x', file: 1 }];
    refuses(with_('research', { sources }, from(file)), 'work.sources[0].file');
    refuses(with_('research', { sources }), 'work.sources[0].file');
    accepts(with_('research', { sources }, from(file, file)));
  });
});

describe('mission: civil times', () => {
  const job = { id: 'j1', operations: [{ machine: 'm1', duration: 1 }] };
  const due = (time: string): Members => ({ jobs: [{ ...job, due: time }] });

  it('are dates of the calendar, and need a start and a unit of time', () => {
    accepts(with_('schedule', { ...due('2026-12-01'), start: '2026-11-30 08:00', unit: 'hour' }));
    refuses(with_('schedule', due('2026-12-01')), 'work.start');
    refuses(with_('schedule', { ...due('2026-12-01'), start: '2026-11-30 08:00', unit: 'shifts' }), 'work.unit');
    refuses(with_('schedule', due('2026-02-30 08:00')), 'work.jobs[0].due');
  });

  it('have hours of one digit as people write them, and are recorded with two', () => {
    const [short, long] = ['8:00', '08:00'].map((eight) => {
      const calendar = { weekly: { mon: [`${eight}-12:00`], tue: [`00:00-${eight}`] } };
      return hashOf(with_('schedule', { ...due(`2026-12-01 ${eight}`), start: `2026-11-30 ${eight}`, calendar }));
    });
    assert.equal(short, long);
  });

  it('lie within the time that can be planned', () => {
    const start = '2026-11-30 08:00';
    refuses(with_('schedule', { ...due('4000-01-01'), start }), 'work.jobs[0].due');
    const calendar = (hours: string, date: string): Members => ({ weekly: {}, extra: [{ date, hours: [hours] }] });
    accepts(with_('schedule', { start, calendar: calendar('08:00-08:01', '2026-11-30') }));
    refuses(with_('schedule', { start, calendar: calendar('08:00-12:00', '2026-11-29') }), 'work.start');
    refuses(with_('schedule', { jobs: [{ ...job, release: '9999-12-31' }], start, unit: 'days' }), 'work.start');
  });

  it('are open hours of a calendar, in their order', () => {
    const start = '2026-12-07 08:00';
    const open = (calendar: Members): unknown => with_('schedule', { start, calendar });
    const weekly = { mon: ['08:00-12:00', '13:00-17:00'], sat: ['22:00-24:00'] };
    accepts(open({ weekly, holidays: ['2026-12-25', '2046-12-20'], extra: [{ date: '2026-12-20', hours: ['08:00-12:00'] }] }));
    refuses(with_('schedule', { calendar: { weekly } }), 'work.start');
    refuses(open({ weekly: {} }), 'work.calendar.weekly');
    for (const [hours, item] of Object.entries({ '12:00-08:00': '', '8:00-08:00': '', '8-12': '[0]', '08:00-24:30': '[0]' }))
      refuses(open({ weekly: { mon: [hours] } }), `work.calendar.weekly.mon${item}`);
    refuses(open({ weekly: { mon: ['08:00-12:00', '11:00-13:00'] } }), 'work.calendar.weekly.mon');
    assert.match(JSON.stringify(decode(missionRequest, open({ weekly: { mon: ['22:00-06:00'] } }))), /a night is 22:00-24:00/);
    refuses(open({ weekly, holidays: ['2026-12-25', '2026-12-25'] }), 'work.calendar.extra');
    refuses(open({ weekly, holidays: ['2026-12-25', '2046-12-26'] }), 'work.calendar.holidays');
  });
});
