/**
 * The base of every command: `--home`, `--json`, exit codes from the refusal table, errors with hints. `run()` returns the value
 * that `--json` prints; `present` formats it as lines for people.
 */
import { Command, Errors, Flags } from '@oclif/core';
import type { Refusal } from '../base/refusal.js';
import { refusals } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { damageFaults } from '../app/home/damage-faults.js';
import type { Home, OpenOptions, World } from '../app/home/home.js';
import { clock } from './clock.js';
import { reportFailure } from './failure.js';
import { pasteable } from './text.js';
import { damageWarnings, printWarnings, withWarnings } from './warnings.js';

export const actorFlag = Flags.string({
  description: 'who acts; stands in the recorded events',
  default: 'operator',
  helpValue: 'NAME',
});

interface HomeOptions extends OpenOptions {
  /**
   * Whether the command only reads, so that it accepts a home of the reference agent or of a newer version, and leaves it
   * unchanged.
   */
  readonly onlyReads?: boolean;
  /**
   * Makes the command work on a damaged home, with warnings. A command that shows the home exits as for a failed check, because what it
   * prints may be wrong; one that records an event has done what it was called for.
   */
  readonly onDamage?: 'shows' | 'records';
}

type Opener = (world: World, options: OpenOptions) => Home;
const opener = async (): Promise<Opener> => (await import('../app/home/home.js')).openHome;
const readingOpener = async (): Promise<Opener> => (await import('../app/reference/home.js')).openForReading;

export abstract class AgentCommand<A> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    home: Flags.string({
      description: 'the private home directory (default: AGENT_HOME, else the user data directory)',
      helpValue: 'DIR',
      helpGroup: 'GLOBAL',
    }),
  };

  protected abstract act(): Promise<A>;
  /** Returns the lines for people; not called with `--json`. */
  protected abstract present(value: A): readonly string[];
  /** Returns the `warnings` of the `--json` document, for standard error. */
  protected warningsOf(_value: A): readonly string[] {
    return [];
  }

  /** Warnings about damage of the home on which the command worked. */
  private damage: readonly string[] = [];

  override async run(): Promise<A> {
    const value = await this.act();
    if (this.jsonEnabled()) return this.damage.length === 0 ? value : withWarnings(value, this.damage);
    printWarnings(this.damage);
    const home = homeOf(this.argv);
    for (const line of this.present(value)) this.log('%s', pasteable(line, this.config.bin, home));
    printWarnings(this.warningsOf(value));
    return value;
  }

  protected async world(home: string | undefined): Promise<World> {
    const { worldOf } = await import('../app/home/world.js');
    return worldOf(home, process.env, clock());
  }

  /** Opens the home, runs `use`, and closes the home whatever happens. */
  protected async withHome<B>(
    home: string | undefined,
    use: Use<B>,
    { onlyReads = false, onDamage, ...given }: HomeOptions = {},
  ): Promise<B> {
    const [world, open] = await Promise.all([this.world(home), onlyReads ? readingOpener() : opener()]);
    const options = onDamage === undefined ? given : { ...given, tolerate: [...(given.tolerate ?? []), ...damageFaults] };
    try {
      return await usingHome(open(world, options), async (opened) => {
        const value = await use(opened);
        if (onDamage !== undefined) this.warnOf(opened.damage.found(), onDamage);
        return value;
      });
    } catch (error) {
      if (!onlyReads || !(error instanceof RefusalError) || error.refusal.code !== 'newer_version') throw error;
      const { openNewerHome } = await import('../app/home/read-only.js');
      const opened = openNewerHome(world, options, error.refusal);
      printWarnings([`this home is only read: ${error.refusal.detail}`]);
      return usingHome(opened, use);
    }
  }

  private warnOf(found: readonly Refusal[], onDamage: 'shows' | 'records'): void {
    this.damage = damageWarnings(found);
    if (found.length > 0 && onDamage === 'shows') this.answerNo('integrity');
  }

  /** Sets the exit code of a failed check; its document is printed as usual. */
  protected answerNo(code: Refusal['code']): void {
    process.exitCode = refusals[code].exit;
  }

  override async catch(error: Error): Promise<void> {
    if (error instanceof Errors.ExitError) throw error;
    const help = `agent-cli ${(this.id ?? '').replaceAll(':', ' ')} --help`;
    reportFailure(error, { json: this.jsonEnabled(), bin: this.config.bin, home: homeOf(this.argv), help });
  }

  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  }
}

type Use<B> = (home: Home) => Promise<B> | B;

async function usingHome<B>(home: Home, use: Use<B>): Promise<B> {
  try {
    return await use(home);
  } finally {
    home.close();
  }
}

/** Returns the home named on the command line, even if parsing failed. */
function homeOf(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === '--home' || word.startsWith('--home='));
  const word = argv[at];
  return word === '--home' ? argv[at + 1] : word?.slice('--home='.length);
}
