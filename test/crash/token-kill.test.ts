/**
 * SIGKILL and EIO at the steps of `token create` and `token rotate`: a token that is valid afterwards was printed before. A token that was
 * printed just before the end need not be valid. By default every sixth one of the decisive calls and some of the others, TEST_EFFORT=full all. @slow
 */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inDatabase } from '../support/store/in-database.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { Operator } from '../support/crash/crash-cli.js';
import { copySandbox, fileKind, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted } from '../support/crash/crash-settle.js';
import { sweep } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { allSyscalls, breakAt, numbered, trace, type Broken, type Syscall, type Target } from '../support/strace.js';

interface Point extends Target {
  readonly argv: readonly string[];
}

/** Returns the SHA-256 of the tokens that are valid, read past the program. */
function validTokens({ home }: Sandbox): string[] {
  const newest = "SELECT max(seq) FROM events WHERE mission LIKE '@token:%' AND mission <> '@token:api' GROUP BY mission";
  const sql = `SELECT body ->> '$.document.token_sha256' FROM events WHERE seq IN (${newest})`;
  const recorded = inDatabase(join(home, 'journal.sqlite3'), (db) => db.prepare<[], string>(sql).pluck().all());
  return [...recorded, sha256Hex(readFileSync(join(home, 'api.token'), 'latin1'))];
}

const printedTokens = (stdout: string): string[] =>
  [...stdout.matchAll(/(?<![\w-])[\w-]{43}(?![\w-])/g)].map(([token]) => sha256Hex(token));

/** Steps that are taken most: those that print, and those that decide whether a transaction or a file counts. */
const decisive: readonly Syscall[] = ['write', 'fsync', 'rename'];

real('strace', 'a command that issues a token and is stopped', () => {
  const root = folderForSuite();
  const operators: Operator[] = [];
  let template: Sandbox;
  let validBefore: readonly string[] = [];
  const calls: ReturnType<typeof numbered>[] = [];
  const commands = [
    ['token', 'create', 'new', '--role', 'viewer'],
    ['token', 'rotate', 'old', '--json'],
    ['token', 'rotate'],
  ];

  before(async () => {
    for (let lane = 0; lane < Math.min(atEffort(1, 2), availableParallelism()); lane++) operators.push(new Operator());
    const [operator] = operators;
    ok(operator !== undefined);
    template = makeSandbox(join(root, 'template'));
    accepted(await operator.run(['init'], template.env), 'init');
    const { code, stderr } = await trace(['token', 'create', 'old', '--role', 'viewer'], template.env, {
      log: join(root, 'old.trace'),
    });
    strictEqual(code, 0, stderr);
    validBefore = validTokens(template);
    strictEqual(validBefore.length, 2);
    for (const argv of commands) calls.push(await callsOf(argv));
  });

  after(() => operators.forEach((operator) => operator.stop()));

  /** Files of the home, and standard output and standard error, which are pipes. */
  const concerns = (sandbox: Sandbox, file: string): boolean => fileKind(sandbox, file) !== null || file.startsWith('pipe:');

  /** The calls of a command that nothing disturbs, in order. */
  async function callsOf(argv: readonly string[]): Promise<ReturnType<typeof numbered>> {
    const sandbox = copySandbox(template, join(root, 'clean'));
    const ran = await trace(argv, sandbox.env, { log: join(root, 'clean.trace') });
    strictEqual(ran.code, 0, ran.stderr);
    const issued = validTokens(sandbox).filter((token) => !validBefore.includes(token));
    deepStrictEqual(printedTokens(ran.stdout), issued);
    return numbered(ran.calls, (file) => concerns(sandbox, file));
  }

  /** Every sixth decisive call, other ones for each command and each fault: of the commands, one has its first write, which prints, among them. */
  function pointsOf(how: string, of: readonly Syscall[], turn: number): Point[] {
    return commands.flatMap((argv, n) => {
      const points = (calls[n] ?? []).filter(({ syscall }) => of.includes(syscall));
      const isDue = ({ syscall, nth }: Target, i: number): boolean =>
        decisive.includes(syscall) ? (nth + n + 2 * turn + 3) % 6 === 0 : i % 40 === 0;
      return points.map((point): Point => ({ ...point, argv, how })).filter((point, i) => fullEffort || isDue(point, i));
    });
  }

  async function strike(point: Point, directory: string): Promise<{ readonly ran: Broken; readonly issued: string[] } | null> {
    let sandbox = template;
    const copied = (): Sandbox => (sandbox = copySandbox(template, join(directory, 'sandbox')));
    const fresh = () => ({ env: copied().env, log: join(directory, 'token.trace') });
    const inPlace = (file: string): boolean => concerns(sandbox, file);
    const ran = await breakAt(point, point.argv, inPlace, fresh);
    if (ran === null) return null;
    const where = `${point.argv.join(' ')}, ${point.how} at ${point.syscall} ${point.nth} (${ran.call.file})`;
    const issued = validTokens(sandbox).filter((token) => !validBefore.includes(token));
    const printed = printedTokens(ran.stdout);
    ok(
      issued.every((token) => printed.includes(token)),
      `${where}: ${issued.length} token is valid that nobody saw`,
    );
    if (ran.signal === null && ran.code !== 0) checkStatement(ran, printed.length > 0, issued.length > 0, where);
    return { ran, issued };
  }

  function checkStatement({ stderr }: Broken, isPrinted: boolean, isValid: boolean, where: string): void {
    if (isValid) doesNotMatch(stderr, /nothing was acknowledged|is not valid/, where);
    else if (isPrinted) match(stderr, /the printed token is not valid|not known whether the printed token is valid/, where);
  }

  for (const [turn, [title, how, of]] of (
    [
      ['killed: a valid token was printed', 'signal=SIGKILL', allSyscalls],
      ['its disk fails: it says whether the printed token is valid', 'error=EIO', ['write', 'pwrite', 'fsync', 'rename']],
    ] as const
  ).entries()) {
    it(title, async () => {
      const due = pointsOf(how, of, turn);
      console.log(`      ${due.length} calls`);
      const work = (point: Point, _: Operator, lane: number): ReturnType<typeof strike> =>
        strike(point, join(root, `lane-${lane}`));
      const { done, missed, failures } = await sweep(due, operators, work, 'steps');
      deepStrictEqual(failures, []);
      ok(missed <= due.length / 20, `${missed} of ${due.length} calls were not made again`);
      const printed = done.filter(({ ran }) => printedTokens(ran.stdout).length > 0);
      ok(printed.length > 0 && printed.length < done.length, `${printed.length} of ${done.length} printed a token`);
      ok(
        printed.some(({ issued }) => issued.length === 0),
        'none was stopped between printing and the commit',
      );
    });
  }
});
