/** What is declared of a group of changes. */
import type { ProbeName } from './probes.js';

/**
 * What finds a change at the latest:
 * - `every command`: all but those that work on damage (`works`, `prints` in probes.ts);
 * - `the command that shows it`: those that a change names, and `verify`;
 * - `verify`: also `verify --deep`;
 * - `verify --against`: only a comparison with a checkpoint, a head or an export from elsewhere;
 * - `nothing`: every command does and prints what it did before.
 */
export const finders = [
  'every command',
  'the command that shows it',
  'verify',
  'verify --deep',
  'verify --against',
  'nothing',
] as const;
export type Finder = (typeof finders)[number];

export interface Group {
  /** The first column of the table. */
  readonly change: string;
  readonly finder: Finder;
  /** Refused as data of a newer program, with exit code 4; `list`, `show`, `export` and `verify` read it. */
  readonly newer?: true;
  /** What the table says besides: why nothing or no earlier finder finds it, or what repairs it. */
  readonly note?: string;
  /** Commands whose output may differ although they find nothing. */
  readonly differs?: readonly ProbeName[] | 'any';
  /** A change that leaves every row as it was is found by nothing. */
  readonly orNothing?: true;
  /** The command that repairs it, after which the home is as before. */
  readonly repair?: readonly string[];
  /** A command that either refuses, or repairs it: then `verify --deep` passes. */
  readonly mayRepair?: ProbeName;
}

export const readAsNewer =
  'Refused as data of a newer version (exit 4); `list`, `show`, `export` and `verify` use only the entries';
