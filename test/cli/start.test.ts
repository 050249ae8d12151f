/** `npm start`, and what a person types after it: from a clone to a reviewed and verified export. */
import { match, ok, strictEqual } from 'node:assert';
import { join } from 'node:path';
import { lineOnTerminal, root, scratch, whyNoTerminal, type Ran } from '../support/cli-run.js';

const script = join(root, 'scripts', 'start.mjs');

const why = whyNoTerminal();
(why === null ? describe : describe.skip)(`npm start on a terminal${why === null ? '' : ` [skipped, ${why}]`}`, () => {
  const place = scratch({ NO_COLOR: '1' });
  after(() => place.remove());

  /** Runs what a person types in the directory in which they typed `npm start`. */
  const type = (line: string, typed = ''): Ran =>
    lineOnTerminal(line, { ...place.env, INIT_CWD: place.directory }, place.directory, typed);
  const start = (): Ran => type(`'${process.execPath}' '${script}' --no-serve`);
  /** The commands that it says come next. */
  const nextOf = ({ stdout }: Ran): string[] =>
    (/^Next[^]*/m.exec(stdout)?.[0] ?? '').split(/\r?\n/).flatMap((line) => (/^ {2}\S/.test(line) ? [line.trim()] : []));

  it('shows the result first, and then three commands to type that lead to a verified export', () => {
    const started = start();
    strictEqual(started.code, 0, started.stdout);
    match(
      started.stdout,
      /\[1\/5\] packages\r?\n +[0-9.]+ s\r?\n\[2\/5\] build[^]*\[3\/5\] home[^]*public key +[0-9a-f]{64}\r?\n[^]*\[4\/5\] example mission[^]*\[5\/5\] result[^]*makespan +[0-9]+[^]*screen_press[^]*\nNext: decide, export and verify it\r?\n/,
    );
    const typed = nextOf(started);
    ok(typed.length <= 3, typed.join('\n'));
    const answers = ['a\nchecked against the orders\n'];
    const ran = typed.map((line, n) => type(line, answers[n]));
    for (const [n, { code, stdout }] of ran.entries()) strictEqual(code, 0, `${typed[n]}\n${stdout}`);
    match(ran[0]?.stdout ?? '', /Approved\. Recorded in the signed journal/);
    match(ran[2]?.stdout ?? '', /✓ valid[^]*recomputed +yes/);
  });

  it('keeps the mission and what was decided when it is started again', () => {
    const again = start();
    strictEqual(again.code, 0, again.stdout);
    match(again.stdout, /is there already: completed[^]*makespan/);
    strictEqual(nextOf(again).length, 2);
  });
});
