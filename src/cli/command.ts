/**
 * The base of every command: `--home`, `--json`, exit codes from the refusal table, errors with hints. `run()` returns the value
 * that `--json` prints; `present` formats it as lines for people.
 */
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Args, Command, Errors, Flags, type Interfaces } from '@oclif/core';
import { damageFaults, type Home, type OpenOptions, toleratedFaults, type World } from '../app/home/home.js';
import { damageRefusal } from '../base/damage.js';
import { untilInterrupted } from '../base/interrupt.js';
import { errorCode, invalid, RecordedFault, RecordedRefusal, type Refusal, RefusalError, refusals } from '../base/refusal.js';
import type { Clock } from '../base/time.js';
import type { Via } from '../codec/scalars.js';
import { reportFailure } from './failure.js';
import { endWithOutput } from './hangup.js';
import { forTerminal, guard, jsonOn } from './output.js';
import { paged } from './pager.js';
import { withProgress } from './progress.js';
import { refuseStreams } from './streams.js';
import { type Invocation, calledAs, pasteable } from './text.js';
import { damageWarnings, faultWarnings, printWarnings, type WithWarnings, withWarnings } from './warnings.js';

/** How often a command that watches reads again. */
const watch_interval_ms = 1_000;

export const missionArg = Args.string({ description: "the mission's id, or its first 4 characters or more", required: true });

export const publicKeyFlag = {
  description: '64 hexadecimal digits, from a source that you trust',
  helpValue: 'HEX',
} as const;

export const watchFlag = Flags.boolean({ description: 'print it again when it changes, until it ends or Ctrl-C' });

export const actorFlag = Flags.string({
  description: 'who acts; recorded in the events',
  default: 'operator',
  helpValue: 'NAME',
  parse: async (name) => {
    if (name.trim() === '') throw new RefusalError(invalid('as', 'must not be blank'));
    return name;
  },
});

interface HomeOptions extends OpenOptions {
  /**
   * Whether the command only reads, so that it accepts a home of the reference agent or of a newer version, and leaves it
   * unchanged.
   */
  readonly onlyReads?: boolean;
  /** The channel that events name: the command line unless given. */
  readonly via?: Via;
  /** Whether a home of an older version is left as it is, and a copy on which the upgrade was tried is opened in its place. */
  readonly triesUpgrade?: boolean;
  /** For commands that must work, so that a damaged home can be stopped and inspected; they tolerate its damage. */
  readonly onDamage?: OnDamage;
}

/** What a command that works on damaged entries does about them, besides a warning. */
type OnDamage = 'works' | 'fails after printing';

/** For commands that stop work: they wait for no verification, and work on a damaged home and beside an edited config.json. */
export const stopsWork: HomeOptions = { onDamage: 'works', isUrgent: true, tolerate: ['config'] };

type Opener = (world: World, options: OpenOptions) => Home;
const opener = async (): Promise<Opener> => (await import('../app/home/open.js')).openHome;
const tryingOpener = async (): Promise<Opener> => (await import('../app/home/read-only.js')).openForDoctor;
const readingOpener = async (): Promise<Opener> => (await import('../app/reference/home.js')).openForReading;

/** The arguments and flags of a command, parsed. */
export interface ParsedInput<C extends typeof Command> {
  readonly args: Interfaces.InferredArgs<C['args']>;
  readonly flags: Interfaces.InferredFlags<C['flags']>;
  /** The words that are no flags. */
  readonly argv: readonly unknown[];
}

type FlagOutput = Interfaces.OutputFlags<Interfaces.FlagInput>;
type ArgOutput = Interfaces.OutputArgs<Interfaces.ArgInput>;

export abstract class AgentCommand<A> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    home: Flags.string({
      description: 'the private home directory (default: AGENT_HOME, else the user data directory)',
      helpValue: 'DIR',
      helpGroup: 'GLOBAL',
    }),
  };

  protected abstract act(given: ParsedInput<typeof Command>): Promise<A>;
  /** Returns the lines for people; not called with `--json`. */
  protected abstract present(value: A): readonly string[];
  /** Returns the `warnings` of the `--json` document, for standard error. */
  protected warningsOf(value: A): readonly string[] {
    return (value as WithWarnings<A> | undefined)?.warnings ?? [];
  }

  /** The argument that may be `-` for standard input, and the flag that may be `-` for standard output. */
  static readonly streams: readonly string[] = [];

  /** Warnings about what the command was given: a damaged home, a file that others can read. */
  private remarks: readonly string[] = [];
  private isPrinted = false;
  /** The value of `--home`. */
  protected home: string | undefined;
  /** Whether the lines for people hold the document's warnings too. */
  protected linesHoldWarnings = false;
  /** Whether lines for people may be shown in a pager. */
  protected isPaged = false;

  override async run(): Promise<A> {
    guard(process.stdout);
    guard(process.stderr);
    const given = await this.parse(this.ctor);
    this.home = given.flags['home'] as string | undefined;
    const value = await this.act(given);
    if (this.jsonEnabled()) return this.remarks.length === 0 ? value : withWarnings(value, this.remarks);
    printWarnings(this.remarks, this.called());
    if (!this.isPrinted) this.show(this.lines(value));
    if (!this.linesHoldWarnings) printWarnings(this.warningsOf(value), this.called());
    return value;
  }

  /** Nothing but an explicit `-` reads standard input; the parser would take what it holds for a missing argument. */
  protected override async parse<F extends FlagOutput, B extends FlagOutput, G extends ArgOutput>(
    options: Interfaces.Input<F, B, G>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<F, B, G>> {
    for (const arg of Object.values<{ ignoreStdin?: boolean }>(options.args ?? {})) arg.ignoreStdin = true;
    const parsed = await super.parse<F, B, G>(options, argv);
    const { streams, strict } = this.constructor as typeof AgentCommand;
    if (strict) refuseStreams(parsed, { ...options.baseFlags, ...options.flags }, streams);
    return parsed;
  }

  /** Prints lines for people, in a pager if the command allows one. */
  protected show(lines: readonly string[]): void {
    if (!this.isPaged || !paged(lines)) for (const line of lines) this.log('%s', line);
  }

  private called = (): Invocation => ({ bin: calledAs(this.config.bin, this.id).bin, home: homeOf(this.argv) });

  private lines(value: A): string[] {
    const { bin, home } = this.called();
    return this.present(value).map((line) => pasteable(line, bin, home));
  }

  /**
   * Prints the command's value before `act` ends, and not again: for a secret that must have been seen before it is valid.
   * @throws when the text could not be written
   */
  protected printNow(value: A): void {
    const lines = (): string => `${this.lines(value).join('\n')}\n`;
    writeOut(this.jsonEnabled() ? jsonText(value) : process.stdout.isTTY ? forTerminal(lines()) : lines());
    this.isPrinted = true;
  }

  /** Prints a document to standard output in place of the lines for people. */
  protected printDocument(text: string): void {
    process.stdout.write(text);
    this.isPrinted = true;
  }

  /**
   * Prints a value each time it changes, until the last one or a signal: on a terminal in place of the one before, with `--json` as one object a
   * line.
   */
  protected watch(read: () => Promise<A>, isLast: (value: A) => boolean): Promise<A> {
    this.isPrinted = true;
    const clear = process.stdout.isTTY ? '\u001b[H\u001b[2J' : '';
    const print = (value: A): void => {
      const text = this.jsonEnabled()
        ? jsonOn(process.stdout, value)
        : `${clear}${this.lines(value).join('\n')}${clear === '' ? '\n' : ''}`;
      process.stdout.write(`${text}\n`);
    };
    return watching({ read, print, isLast });
  }

  protected async world(): Promise<World> {
    const { worldOf } = await import('../app/home/home.js');
    return worldOf(this.home, process.env, clock());
  }

  /** Opens the home, runs `use`, and closes the home whatever happens. */
  protected async withHome<B>(
    use: Use<B>,
    { onlyReads = false, triesUpgrade = false, via = 'cli', onDamage, ...given }: HomeOptions = {},
  ): Promise<B> {
    const opening = onlyReads ? readingOpener() : triesUpgrade ? tryingOpener() : opener();
    const [world, open, { homeVia }] = await Promise.all([this.world(), opening, import('../app/home/via.js')]);
    const options = onDamage === undefined ? given : { ...given, tolerate: [...(given.tolerate ?? []), ...damageFaults] };
    try {
      return await usingHome(await this.open(world, options, open), async (opened) => {
        try {
          return await use(homeVia(opened, via));
        } catch (error) {
          throw onDamage === 'fails after printing' ? onDamaged(error, opened.damage.found()) : error;
        } finally {
          if (onDamage !== undefined) this.warnOf(opened.damage.found(), onDamage);
        }
      });
    } catch (error) {
      if (!onlyReads || !(error instanceof RefusalError) || error.refusal.code !== 'newer_version') throw error;
      const { openNewerHome } = await import('../app/home/read-only.js');
      const opened = openNewerHome(world, options, error.refusal);
      printWarnings([`this home is only read: ${error.refusal.detail}`]);
      return usingHome(opened, use);
    }
  }

  /** Opens the home and runs `use` with the id of the mission that is named by its id or by the beginning of it. */
  protected async withMission<B>(
    named: string,
    use: (home: Home, id: string) => Promise<B> | B,
    options: HomeOptions = {},
  ): Promise<B> {
    const { missionNamed } = await import('../app/missions/record.js');
    return this.withHome((opened) => use(opened, missionNamed(opened.db, named)), options);
  }

  /** Opens the home; shows the progress when a large journal must be verified first, and says when the home was upgraded. */
  private async open(world: World, options: OpenOptions, open: Opener): Promise<Home> {
    const opened = await withProgress(!this.jsonEnabled(), (update) =>
      open(world, { ...options, onVerify: (verified, total) => update('verify', verified / total) }),
    );
    // Imported only then: most commands open a home of this version.
    if (opened.upgrade !== null) await warnOfUpgrade(opened.upgrade);
    // Doctor, which tolerates every fault, reports them as its checks.
    if (options.tolerate?.includes('permissions') !== true) this.remark(toleratedFaults(opened));
    const { config } = opened.faults;
    if (options.isUrgent === true && config !== null) this.remark(faultWarnings([config]));
    return opened;
  }

  /** Warns before what the command prints, also if it fails. */
  protected remark(warnings: readonly string[]): void {
    // A command that opens its home several times finds the same again.
    this.remarks = [...new Set([...this.remarks, ...warnings])];
  }

  private warnOf(found: readonly Refusal[], onDamage: OnDamage): void {
    this.remark(damageWarnings(found));
    if (found.length > 0 && onDamage === 'fails after printing') this.answerNo('integrity');
  }

  /** Sets the exit code of a failed check; its document is printed as usual. */
  protected answerNo(code: Refusal['code']): void {
    process.exitCode = refusals[code].exit;
  }

  /** Returns the verdict. Unless it is valid, the command exits as after a failed check. */
  protected judged<V extends { readonly valid: boolean }>(verdict: V): V {
    if (!verdict.valid) this.answerNo('verification_failed');
    return verdict;
  }

  override async catch(error: Error): Promise<void> {
    if (error instanceof Errors.ExitError) throw error;
    const { id } = calledAs(this.config.bin, this.id);
    const help = `agent-cli ${id.replaceAll(':', ' ')} --help`;
    reportFailure(error, {
      ...this.called(),
      json: this.jsonEnabled(),
      help,
      warnings: this.remarks,
    });
  }

  override logJson(json: unknown): void {
    if (!this.isPrinted) process.stdout.write(jsonText(json));
  }
}

const jsonText = (json: unknown): string => `${jsonOn(process.stdout, json, 2)}\n`;

/** Returns the error of a command that shows a home: what a damaged one does not hold may have been in it. */
function onDamaged(error: unknown, [damage]: readonly Refusal[]): unknown {
  if (damage === undefined || !(error instanceof RefusalError) || error.refusal.code !== 'not_found') return error;
  return new RefusalError({ ...damage, detail: `${error.refusal.detail} that can be read: ${damage.detail}` });
}

async function warnOfUpgrade(upgrade: NonNullable<Home['upgrade']>): Promise<void> {
  const { upgradeNotice } = await import('../app/home/upgrade.js');
  const notice = upgradeNotice(upgrade);
  if (notice !== null) printWarnings([notice]);
}

type Use<B> = (home: Home) => Promise<B> | B;

async function usingHome<B>(home: Home, use: Use<B>): Promise<B> {
  try {
    return await use(home);
  } catch (error) {
    throw naming(error, home.writer.recorded);
  } finally {
    home.close();
  }
}

/** Returns the error that ended a command, which names the number of entries that the command had committed if nothing else does. */
function naming(error: unknown, committed: number): unknown {
  if (committed === 0 || error instanceof RecordedFault || error instanceof RecordedRefusal) return error;
  const entries = committed === 1 ? '1 entry was' : `${committed} entries were`;
  if (!(error instanceof RefusalError)) {
    return damageRefusal(error) === null ? new RecordedFault(`${entries} recorded, then the command failed`, null, error) : error;
  }
  const { detail, ...refusal } = error.refusal;
  return refusal.code === 'storage_full' || refusal.code === 'not_writable'
    ? new RefusalError({
        ...refusal,
        detail: `${detail.replace('; nothing was recorded', '')} (before that, ${entries} recorded)`,
      })
    : error;
}

/** Returns the home named on the command line, even if parsing failed. */
function homeOf(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === '--home' || word.startsWith('--home='));
  const word = argv[at];
  return word === '--home' ? argv[at + 1] : word?.slice('--home='.length);
}

/** The clock of this process: the machine's, unless a test sets another before a command runs. */
let current: Clock = Date.now;

export const clock = (): Clock => current;
export const setClock = (other: Clock): void => {
  current = other;
};

interface Watching<A> {
  /** Reads the present state. */
  readonly read: () => Promise<A>;
  /** Prints a state that differs from the one before. */
  readonly print: (value: A) => void;
  /** Returns whether nothing more is to come. */
  readonly isLast: (value: A) => boolean;
}

/** Returns the present state, or the one before while another process keeps the journal. */
async function readAgain<A>(read: () => Promise<A>, last: A): Promise<A> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'in_use') return last;
    throw error;
  }
}

/** Returns the state at the end, or when Ctrl-C or a signal ended the watching. */
export const watching = <A>({ read, print, isLast }: Watching<A>): Promise<A> =>
  untilInterrupted(async (signal) => {
    endWithOutput();
    let value = await read();
    print(value);
    while (!isLast(value) && !signal.aborted) {
      await wait(watch_interval_ms, undefined, { signal }).catch(() => undefined);
      const before = JSON.stringify(value);
      value = await readAgain(read, value);
      if (JSON.stringify(value) !== before) print(value);
    }
    return value;
  });

const standard_output = 1;
const wait_ms_max = 5_000;
const wait_ms = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Returns once the system has taken the whole text. Blocks while a pipe is full. @throws the system's error, ETIMEDOUT after 5 s */
function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  const end = performance.now() + wait_ms_max;
  for (let at = 0; at < bytes.length; ) {
    const written = writeSome(bytes.subarray(at));
    at += written;
    if (written > 0) continue;
    if (performance.now() > end) throw Object.assign(new Error('standard output takes no text'), { code: 'ETIMEDOUT' });
    Atomics.wait(sleeper, 0, 0, wait_ms);
  }
}

/** Returns the number of bytes written; 0 while a pipe is full. */
function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(standard_output, bytes);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return 0;
    throw error;
  }
}
