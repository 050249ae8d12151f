/** What the simulation commands make of flags, and what they print. */
import assert from 'node:assert/strict';
import { RefusalError } from '../../src/base/refusal.js';
import { glyphsFor, type Screen } from '../../src/pictures/screen.js';
import { evenly, sparkline, resultsPicture, replaySince, replaySpeed } from '../../src/cli/simulation.js';
import type { Results } from '../../src/codec/api-simulation.js';
import { requestDocument } from '../../src/cli/simulate.js';
import { run } from '../support/app/simulation.js';

const files: Readonly<Record<string, readonly unknown[]>> = { 'sectors.json': ['a', 'b'] };
const document = (flags: Parameters<typeof requestDocument>[0]): unknown => requestDocument(flags, (file) => files[file] ?? []);
const refusal = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal.detail;
    throw error;
  }
  return 'none';
};
const plain = (utf8: boolean): Screen => ({
  glyphs: glyphsFor({ LC_ALL: utf8 ? 'C.UTF-8' : 'C' }, 'linux'),
  paint: (_, text) => text,
  columns: 99,
});
const results = (asked: object): Results => ({
  ...run(asked),
  id: '0123456789abcdef',
  outcome_hash: 'ab'.repeat(32),
  created_at: '',
  completed_at: '',
  journal: { seq: 4, hash: '' },
});

describe("simulate's flags", () => {
  it('make the document that a client would send', () => {
    assert.deepEqual(document({}), {});
    assert.deepEqual(
      document({ horizon: '10', 'pop-size': '40', 'mut-rate': '0.25', k: '-1.5e2', x0: '0', curve: 'linear', seed: '7' }),
      {
        horizon: 10,
        pop_size: 40,
        mut_rate: 0.25,
        k: -150,
        x0: 0,
        curve: 'linear',
        seed: 7,
      },
    );
    assert.deepEqual(document({ sectors: '12' }), { num_sectors: 12 });
    assert.deepEqual(document({ sectors: 'sectors.json', energy: '2' }), { energy: 2, sectors: ['a', 'b'] });
  });

  it('take numbers as people type them', () => {
    assert.deepEqual(document({ x0: '.5', k: '+1', energy: '5.', entropy: '-.5e-1' }), {
      x0: 0.5,
      k: 1,
      energy: 5,
      entropy: -0.05,
    });
    assert.deepEqual(document({ sectors: '+3' }), { num_sectors: 3 });
    for (const text of ['', ' 1', '0x10', '1_000', '.', '+', 'Infinity', 'NaN', '1e', 'ten', '--1'])
      assert.equal(
        refusal(() => document({ horizon: text })),
        '--horizon: must be a number',
        text,
      );
    assert.equal(
      refusal(() => document({ sectors: '1.2.3' })),
      '--sectors: must be a number',
    );
    assert.equal(
      refusal(() => document({ sectors: '3', 'num-sectors': '3' })),
      '--sectors: is a number, which --num-sectors also sets',
    );
  });
});

describe("replay's flags", () => {
  it('are a day or a time in UTC, and a speed', () => {
    assert.equal(replaySince(undefined), undefined);
    assert.equal(replaySince('2026-11-20'), Date.UTC(2026, 10, 20));
    assert.equal(replaySince('2026-11-20T05:00:00.5Z'), Date.UTC(2026, 10, 20, 5, 0, 0, 500));
    for (const text of ['', 'today', '2026-13-01', '2026-02-30', '2026-11-20T25:00Z', '2026-11-20 05:00', '1763600000'])
      assert.match(
        refusal(() => replaySince(text)),
        /^since: must be a day/,
        text,
      );
    assert.deepEqual(['0.5', '1', '1000'].map(replaySpeed), [0.5, 1, 1000]);
    for (const text of ['0', '-1', '1001', 'fast', '', '1e2'])
      assert.match(
        refusal(() => replaySpeed(text)),
        /^speed: /,
        text,
      );
  });
});

describe('a run for people', () => {
  it('has a sparkline from 0 to 1, in ASCII where the terminal has no more', () => {
    assert.equal(sparkline([0, 0.2, 0.5, 0.88, 1], 60, plain(true)), '▁▂▅▇█');
    assert.equal(sparkline([0, 0.2, 0.5, 0.88, 1], 60, plain(false)), '_.~*#');
    assert.deepEqual(evenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4), [0, 3, 6, 9]);
    assert.deepEqual(evenly([1], 4), [1]);
  });

  it('shows at most twenty years, the first and the last among them, and bands with samples', () => {
    const lines = resultsPicture(results({ horizon: 200, curve: 'linear', entropy: 2, samples: 20 }), plain(true));
    const rows = lines.filter((line) => /^ *[0-9]+ {2}/.test(line));
    assert.equal(rows.length, 20);
    assert.match(rows[0] ?? '', /^ {3}1 {6}0\.0050 {9}0( 0\.[0-9]{4}){5}$/);
    assert.match(rows.at(-1) ?? '', /^ 200 {6}1\.0000/);
    assert.match(lines.join('\n'), /^180 more years; runs [0-9a-f]{16} --json prints all$/m);
    assert.ok(lines.every((line) => line.length <= 99));
  });

  it('names disrupted sectors by year, a few of them, without control characters', () => {
    const sectors = Array.from({ length: 20 }, (_, i) => ({ name: `s${i}\u001b[2J`, entropy: 2 + i }));
    const text = resultsPicture(results({ curve: 'linear', sectors }), plain(true)).join('\n');
    assert.match(text, /20 of 20 \(90 % interval: 20\): year 1 s\d+<U\+001B>\[2J/);
    assert.match(text, /; 8\s+more/);
    assert.ok(!text.includes('\u001b'));
  });
});
