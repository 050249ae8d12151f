/**
 * What every command has: `--home`, `--json`, exit codes from the refusal table, errors with hints. `run()` returns the value that
 * `--json` prints; `present` turns it into lines for people.
 */
import { Command, Errors, Flags } from '@oclif/core';
import { errorCode, Fault } from '../base/fault.js';
import type { FieldError, Refusal } from '../base/refusal.js';
import { refusals } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import type { Home, OpenOptions, World } from '../app/home.js';
import { paint } from './paint.js';
import { clock } from './clock.js';

export const actorFlag = Flags.string({
  description: 'who acts; stands in the recorded events',
  default: 'operator',
  helpValue: 'NAME',
});

export abstract class AgentCommand<A> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    home: Flags.string({
      description: 'the private home directory (default: AGENT_HOME, else the user data directory)',
      helpValue: 'DIR',
      helpGroup: 'GLOBAL',
    }),
  };

  private homeFlag: string | undefined;

  protected abstract act(): Promise<A>;
  /** Lines for people; not called with `--json`. */
  protected abstract present(value: A): readonly string[];

  override async run(): Promise<A> {
    const value = await this.act();
    if (!this.jsonEnabled()) for (const line of this.present(value)) this.log(line);
    return value;
  }

  protected async world(home: string | undefined): Promise<World> {
    const { worldOf } = await import('../app/world.js');
    this.homeFlag = home;
    return worldOf(home, process.env, clock());
  }

  /** Opens the home, runs `use`, and closes the home whatever happens. */
  protected async withHome<B>(
    home: string | undefined,
    use: (home: Home) => Promise<B> | B,
    options: OpenOptions = {},
  ): Promise<B> {
    const world = await this.world(home);
    const { openHome } = await import('../app/home.js');
    const opened = openHome(world, options);
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

  override async catch(error: Error & { exitCode?: number }): Promise<void> {
    if (error instanceof Errors.ExitError) throw error;
    const refusal = refusalOf(error);
    process.exitCode = refusal === null ? 1 : refusals[refusal.code].exit;
    const lines = this.jsonEnabled()
      ? [JSON.stringify(errorDocument(error, refusal))]
      : errorLines(error, refusal, this.homeFlag);
    process.stderr.write(`${lines.join('\n')}\n`);
    if (refusal === null && process.env['DEBUG'] !== undefined) process.stderr.write(`${stackOf(error)}\n`);
  }

  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  }
}

/** Usage errors of the parser count as invalid input; everything unexpected is a fault. */
function refusalOf(error: Error): Refusal | null {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof Errors.CLIError) return { code: 'invalid', detail: firstParagraph(error.message) };
  const known: Partial<Record<string, Refusal['code']>> = {
    ENOSPC: 'storage_full',
    EROFS: 'storage_full',
    EACCES: 'forbidden',
    EPERM: 'forbidden',
  };
  const code = known[errorCode(error)];
  return code === undefined ? null : { code, detail: error.message };
}

const firstParagraph = (message: string): string => (message.split('\nSee more help')[0] ?? message).trim().replaceAll('\n', ' ');

interface ErrorDocument {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly facts?: unknown;
  readonly hint?: string;
}

function errorDocument(error: Error, refusal: Refusal | null): ErrorDocument {
  if (refusal === null) return { code: 'fault', title: 'Internal fault', detail: messageOf(error), errors: [] };
  const { code, detail, errors = [], facts, hint } = refusal;
  return {
    code,
    title: refusals[code].title,
    detail,
    errors,
    ...(facts === undefined ? {} : { facts }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function errorLines(error: Error, refusal: Refusal | null, home: string | undefined): string[] {
  if (refusal === null)
    return [
      `${paint.err('red', '✗')} ${messageOf(error)}`,
      '  This is a fault of the program or the machine; nothing was acknowledged. DEBUG=1 shows its cause.',
    ];
  const title = paint.err('red', `✗ ${refusals[refusal.code].title}:`);
  const errors = (refusal.errors ?? []).length > 1 ? (refusal.errors ?? []) : [];
  return [
    `${title} ${refusal.detail}`,
    ...errors.map(({ path, message }) => `    ${path === '' ? '(document)' : path}: ${message}`),
    ...(refusal.hint === undefined ? [] : [`  → ${withHome(refusal.hint, home)}`]),
  ];
}

/** A hint can be pasted: it carries the home that this command was given. */
const withHome = (hint: string, home: string | undefined): string =>
  home === undefined || hint.includes('--home') ? hint : hint.replace('agent-cli ', `agent-cli --home ${home} `);

const messageOf = (error: Error): string =>
  error instanceof Fault && error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;

const stackOf = (error: Error): string =>
  [error.stack, error.cause instanceof Error ? `caused by ${error.cause.stack ?? ''}` : ''].join('\n');
