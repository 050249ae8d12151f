/** What the parts of the console's mock share. */
import type { Refusal } from '../../src/base/refusal.js';
import type { Scratch } from './cli-run.js';

export type Role = 'viewer' | 'reviewer' | 'admin';

export interface ConsoleServer {
  readonly url: string;
  readonly tokens: Readonly<Record<Role, string>>;
  /** The command line on the same home, as another operator would use it. */
  readonly cli: Scratch;
  readonly close: () => Promise<void>;
}

export interface Mock {
  readonly cli: Scratch;
  /** Runs a command with `--json`. @throws MockProblem */
  readonly run: (...args: readonly string[]) => Promise<unknown>;
  readonly entries: () => readonly Entry[];
  readonly file: (text: string) => string;
  readonly progress: Map<string, number>;
}

export class MockProblem extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.detail);
  }
}

export interface Entry {
  readonly sequence: number;
  readonly time: string;
  readonly type: string;
  readonly stream: string;
  readonly hash: string;
  readonly signature: string;
  readonly previous: string;
  readonly document: unknown;
}
