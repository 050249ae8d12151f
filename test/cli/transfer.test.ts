/** What the transfer commands print for people. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { summaryOf, verdictOf } from '../../src/app/transfer/run.js';
import { pastedFile, reportLines, verdictLines, transferPicture } from '../../src/cli/transfer.js';
import { glyphsFor } from '../../src/pictures/screen.js';
import type { TransferRun } from '../../src/codec/transfer-run.js';
import { outcomeOf } from '../../src/engines/transfer/outcome.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { reviewed, runOf, smallSpec } from '../support/app/transfer-samples.js';

const plain = { glyphs: glyphsFor({ TERM: 'dumb' }, 'linux'), paint: (_: string, text: string): string => text, columns: 99 };
const picture = (run: TransferRun): string[] => transferPicture(summaryOf(run), outcomeOf(run), plain);
/** The last fact, which may take two lines. */
const bounded = (run: TransferRun): string => {
  const lines = picture(run);
  const at = lines.findIndex((line) => line.trim().startsWith('bounded transfer'));
  return lines
    .slice(at)
    .map((line) => line.trim())
    .join(' ')
    .replace('bounded transfer   ', '');
};

describe('transfer: the picture', () => {
  it('names every condition that is not met', () => {
    const seasonal = runOf(builtInSpec('seasonal', 37));
    deepStrictEqual(
      [
        seasonal,
        reviewed(seasonal),
        reviewed(seasonal, { decision: 'reject' }),
        reviewed(seasonal, { treatment_ms: 86_400_000, decision: 'repair' }),
        runOf(builtInSpec('shift', 37)),
        reviewed(runOf(builtInSpec('ablation', 37))),
        reviewed(runOf({ ...builtInSpec('shift', 37), risk_limit_milli: 59_999 })),
      ].map(bounded),
      [
        'hold (no review yet)',
        'accepted',
        'hold (the review says reject)',
        'hold (the review says repair)',
        'hold (no review yet, no gain)',
        'hold (no gain, no advantage after all costs, over the risk limit, the archive was off)',
        'hold (no gain, no advantage after all costs, over the risk limit)',
      ],
    );
  });

  it('draws the largest error as a whole bar and none as an empty one', () => {
    const lines = picture(runOf(builtInSpec('shift', 37)));
    match(lines.find((line) => line.includes('B6 frozen')) ?? '', / #{24} +990000 +60000 +359 +seasonal-5$/);
    match(lines.find((line) => line.includes('B3 straight')) ?? '', / \.{24} +0 +0 +4 +linear$/);
  });

  it('stays within its columns, and within one line what others wrote', () => {
    const values = (n: number, by: number): number[] =>
      Array.from({ length: n }, (_, i) => ((i * by) % 2 === 0 ? 10_000 : -10_000 + i));
    const tasks = Array.from({ length: 8 }, (_, i) => ({ id: `t${i}`, observed: values(16, i), heldout: values(16, i + 1) }));
    const run = reviewed(runOf({ ...smallSpec, tasks }), {
      reviewer: 'A\u001b[31m\nB\u202eC',
      reason: `\u0007${'long words '.repeat(44)}`,
    });
    const facts = { run: summaryOf(run), ...verdictOf(outcomeOf(run)) };
    const lines = reportLines({ output: 'x\u001b[2J', sha256: '0', bytes: 1, ...facts });
    for (const line of lines) doesNotMatch(line, /[\p{Cc}\u202e]/u);
    for (const columns of [60, 80, 99])
      for (const line of transferPicture(facts.run, facts, { ...plain, columns })) ok(line.length <= columns, line);
    ok(lines.length < 40);
  });
});

describe('transfer: lines', () => {
  it('include a file to paste only when the shell reads it unchanged', () => {
    deepStrictEqual(
      ['run.json', './a/b-c.json', '-x.json', 'a b.json', '$(x)', 'a;b', "a'b"].map((file) => pastedFile(file, 'RUN')),
      ['run.json', './a/b-c.json', 'RUN', 'RUN', 'RUN', 'RUN', 'RUN'],
    );
  });

  it('say why a run was refuted', () => {
    const { replay: _, ...held } = verdictOf(outcomeOf(runOf()));
    const nothing = { run: null, run_signed_by: null, review_signed: null, warnings: [] } as const;
    const refuted = { valid: false, output: 'f', sha256: '0', kind: 'run', replay: 'refuted' } as const;
    const lines = verdictLines({ ...held, ...nothing, ...refuted, reason: 'sha256: \u001bx' });
    strictEqual(lines.join('\n'), '✗ refuted\nreason  sha256: <U+001B>x');
  });
});
