/**
 * What every command has: `--home`, `--json`, exit codes from the refusal table, errors with hints. `run()` returns the value that
 * `--json` prints; `present` turns it into lines for people.
 */
import { Command, Errors, Flags } from '@oclif/core';
import type { Refusal } from '../base/refusal.js';
import { refusals } from '../base/refusal.js';
import type { Home, OpenOptions, World } from '../app/home/home.js';
import { clock } from './clock.js';
import { reportFailure } from './failure.js';
import { pasteable } from './text.js';
import { printWarnings } from './warnings.js';

export const actorFlag = Flags.string({
  description: 'who acts; stands in the recorded events',
  default: 'operator',
  helpValue: 'NAME',
});

interface HomeOptions extends OpenOptions {
  /** This command only reads, so that a home of the reference agent will do as it is. */
  readonly readsReference?: boolean;
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
  /** Lines for people; not called with `--json`. */
  protected abstract present(value: A): readonly string[];
  /** What `--json` has as `warnings`, for standard error. */
  protected warningsOf(_value: A): readonly string[] {
    return [];
  }

  override async run(): Promise<A> {
    const value = await this.act();
    if (this.jsonEnabled()) return value;
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
    use: (home: Home) => Promise<B> | B,
    { readsReference = false, ...options }: HomeOptions = {},
  ): Promise<B> {
    const [world, open] = await Promise.all([this.world(home), readsReference ? readingOpener() : opener()]);
    const opened = open(world, options);
    try {
      return await use(opened);
    } finally {
      opened.close();
    }
  }

  /** A check that answered no: its document is printed as ever, and the exit code says no. */
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

/** The home named on the command line, known even where parsing failed. */
function homeOf(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === '--home' || word.startsWith('--home='));
  const word = argv[at];
  return word === '--home' ? argv[at + 1] : word?.slice('--home='.length);
}
