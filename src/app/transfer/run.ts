/** `transfer-run`: computes an experiment and writes its report into a new file. */
import * as fs from 'node:fs';
import { Fault } from '../../base/fault.js';
import { transfer_document_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { isRefused, RefusalError, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { decodeSpec, type TransferRun } from '../../codec/transfer-run.js';
import { builtInScenarios, seedCodec, type TransferSpec } from '../../codec/transfer.js';
import { outcomeOf } from '../../engines/transfer/outcome.js';
import { experiment, reportOf, runText } from '../../engines/transfer/run.js';
import { builtInSpec } from '../../engines/transfer/scenarios.js';
import { readInput, createOutput } from '../../home/files.js';
import type { Signer } from '../../journal/keys.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/require.js';
import { expectReadable, labelWarnings, signRun } from './files.js';
import { transferReport, type TransferReport } from './report.js';

const default_seed = 37;

export interface TransferRunOptions {
  readonly scenario: string | undefined;
  readonly seed: number | undefined;
  /** A file that contains the whole spec. */
  readonly spec: string | undefined;
  readonly output: string;
  /** Signs a note that is written beside the report; null for no note. */
  readonly signer: Signer | null;
}

export interface TransferRunReport extends TransferReport {
  /** The file of the signed note and the key that verifies it; null without a signer. */
  readonly signed: { readonly note: string; readonly vkey: string } | null;
  readonly warnings: readonly string[];
}

/** Runs the experiment and writes its report. @throws RefusalError */
export function transferRun(options: TransferRunOptions, now: () => number = () => performance.now()): TransferRunReport {
  const { output, signer } = options;
  const run = makeRun(chooseSpec(options), now);
  const content = Buffer.from(runText(run));
  expectReadable(content, 'the run');
  const report = transferReport(output, content, run, outcomeOf(run));
  const warnings = labelWarnings(run.spec);
  if (signer === null) {
    createOutput(output, content);
    return { ...report, signed: null, warnings };
  }
  const { note, vkey } = signRun(signer, run.sha256);
  const noteFile = `${output}.note`;
  // The run is written first: a kill in between leaves a complete run without its note, never a note without its run.
  createOutput(output, content);
  try {
    createOutput(noteFile, Buffer.from(note));
  } catch (error) {
    fs.rmSync(output, { force: true });
    throw error;
  }
  return { ...report, signed: { note: noteFile, vkey }, warnings };
}

/** Runs an experiment and adds a note signed with the home's identity. @throws RefusalError while the tool of notes is stopped */
export function signedTransferRun(home: Home, options: Omit<TransferRunOptions, 'signer'>): TransferRunReport {
  const deprecations = requireTool(home.db, 'transfer_note');
  const report = transferRun({ ...options, signer: home.signer });
  return { ...report, warnings: [...deprecations, ...report.warnings] };
}

/** Computes the run twice and compares the results, as a validator would. @param now a monotonic clock, in milliseconds */
export function makeRun(spec: TransferSpec, now: () => number): TransferRun {
  const startedAt = now();
  const core = unwrap(experiment(spec));
  const passes = [reportOf(spec, core, 1), reportOf(spec, unwrap(experiment(spec)), 1)];
  if (passes[0]?.sha256 !== passes[1]?.sha256) throw new Fault('one experiment gave two results');
  return reportOf(spec, core, Math.max(1, Math.floor(now() - startedAt)));
}

function chooseSpec({ scenario, seed, spec: file }: TransferRunOptions): TransferSpec {
  if (file === undefined) return builtIn(scenario, seed ?? default_seed);
  const spec = unwrap(decodeSpec(readInput(file, transfer_document_bytes_max)));
  const other = (name: string, value: string | number): RefusalError =>
    new RefusalError(invalid(name, `the spec says ${value}; leave out the flag or change the file`));
  if (scenario !== undefined && scenario !== spec.scenario) throw other('scenario', spec.scenario);
  if (seed !== undefined && seed !== spec.seed) throw other('seed', spec.seed);
  return spec;
}

function builtIn(scenario: string | undefined, seed: number): TransferSpec {
  const known = builtInScenarios.find((name) => name === scenario);
  if (known === undefined) {
    const what = `must be one of ${builtInScenarios.join(', ')}, or custom with --spec FILE`;
    throw new RefusalError(invalid('scenario', scenario === 'custom' ? 'custom needs --spec FILE' : what));
  }
  const decoded = decode(seedCodec, seed);
  if (isRefused(decoded)) throw new RefusalError(invalid('seed', decoded.left.detail));
  return builtInSpec(known, decoded.right);
}
