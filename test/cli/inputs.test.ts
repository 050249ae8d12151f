/** The inputs of missions on a terminal: every kind's, whole, in words and tables. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { inputLines } from '../../src/cli/inputs.js';
import type { Kind } from '../../src/codec/kinds.js';
import { missionKind } from '../../src/kinds/table.js';
import { columnsOf } from '../../src/pictures/columns.js';
import { glyphsFor, type Screen } from '../../src/pictures/screen.js';

const screen: Screen = { glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_, text) => text, columns: 80 };
const inputs = (kind: Kind, request: unknown, on = screen): string => inputLines({ kind, request }, on).join('\n');
const example = (kind: Kind): { readonly work: Record<string, unknown> } => missionKind(kind).example;

describe('inputs on a terminal', () => {
  it('say objective, open hours and machines of a schedule by their names', () => {
    const { work } = example('schedule');
    const jobs = [{ id: 'a', title: 'Press', operations: [{ machine: 'm1', duration: 5 }], due: '2026-12-07', weight: 3 }];
    const calendar = { weekly: { mon: ['08:00-12:00'], tue: ['08:00-12:00'] }, holidays: ['2026-12-25'] };
    const machines = [{ id: 'm1', title: 'Foil press' }];
    const objective = 'weighted_tardiness';
    const drawn = inputs('schedule', { work: { ...work, jobs, machines, objective, calendar, start: '2026-12-07 08:00' } });
    match(drawn, /objective +least weighted delay\n/);
    match(drawn, /open hours +mon-tue 08:00-12:00 2026-12-25 closed\n/);
    match(drawn, /id +title +due +weight +operations.*\n +a +Press +2026-12-07 +3 +Foil press 5/);
    for (const { id } of work['jobs'] as { id: string }[]) ok(inputs('schedule', { work }).includes(id), id);
  });

  it('leave columns out that no item uses, and keep the words of names whole', () => {
    const { work } = example('allocation');
    const drawn = inputs('allocation', { work });
    match(drawn, /risk limit +26\n/);
    for (const { id } of work['items'] as { id: string }[]) match(drawn, new RegExp(`^ {4}${id} `, 'm'));
    doesNotMatch(drawn, /must be chosen|title/);
    const required = (work['items'] as object[]).map((item, i) => (i === 0 ? { ...item, required: true } : item));
    match(inputs('allocation', { work: { ...work, items: required } }), / chosen[^]* yes\n/);
  });

  it('number or date every observation, with what was chosen of a forecast', () => {
    const { work } = example('forecast');
    const drawn = inputs('forecast', { work, effort: 'quick' });
    match(drawn, /steps ahead +14\n/);
    match(drawn, /effort +quick/);
    const values = work['observations'] as number[];
    for (const [i, value] of values.entries()) match(drawn, new RegExp(`(?:^| )${i + 1} +${value}(?: |$)`, 'm'));
    const dated = { ...work, start: '2026-01-01', step: { unit: 'day' }, may_be_negative: false };
    match(inputs('forecast', { work: dated }), /may be negative +no[^]*2026-01-02 +362/);
    const promotion = Array.from({ length: values.length + 14 }, (_, i) => i);
    const known = inputs('forecast', { work: { ...work, regressors: { promotion, value: promotion } } });
    match(
      known,
      new RegExp(
        `step +value +promotion +value \\(2\\)[^]*(?:^| )2 +362 +1 +1(?: |$)[^]* ${values.length + 14} +${values.length + 13} +`,
        'm',
      ),
    );
  });

  it('name the sources of research, and cut long ones', () => {
    const sources = [{ id: 's', title: 'Log', text: 'word '.repeat(400).trim() }];
    match(inputs('research', { work: { kind: 'research', sources } }), /Log[^]*\(and 1399\s+more\s+characters/);
  });

  it('print the program of a code mission with the numbers of its lines, and all its cases', () => {
    const { work } = example('code');
    const drawn = inputs('code', { work });
    for (const [i, line] of String(work['candidate']).trimEnd().split('\n').entries())
      if (line.length < 70) ok(drawn.includes(`  ${String(i + 1).padStart(2)} │ ${line}`.trimEnd()), line);
    const cases = [...(work['examples'] as { args: unknown[] }[]), ...(work['heldout'] as { args: unknown[] }[])];
    for (const { args } of cases) ok(drawn.includes(args.map((arg) => JSON.stringify(arg)).join(', ')));
    doesNotMatch(inputs('code', { work: { ...work, candidate: '' } }), / program/);
    const hiding = inputs('code', { work: { ...work, candidate: 'evil()\r# good\r\n\t# \u202e\u001b[1A\u001b[2K\r\n' } });
    match(hiding, /1 │ evil\(\)<U\+000D># good\n +2 │ {5}# <U\+202E><U\+001B>\[1A<U\+001B>\[2K\n/);
  });

  it('fit any terminal and are gone after an erasure', () => {
    for (const kind of ['schedule', 'allocation', 'forecast', 'research', 'code'] as const) {
      deepStrictEqual(inputLines({ kind, request: null }, screen), []);
      for (const columns of [60, 200])
        for (const line of inputLines({ kind, request: example(kind) }, { ...screen, columns })) {
          strictEqual(columnsOf(line) <= columns, true, `${kind}, ${columns}: ${line}`);
          strictEqual(line, line.trimEnd());
        }
    }
  });
});
