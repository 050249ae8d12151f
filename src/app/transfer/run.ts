/** `transfer-run`: computes an experiment and writes its report into a new file. */
import { Fault, invalid, isRefused, RefusalError, unwrap } from '../../base/refusal.js';
import { transfer_document_bytes_max } from '../../base/limits.js';
import { decode } from '../../codec/kit.js';
import { type ArmName, arms, decodeRun, decodeSpec, reviewCodec, type TransferRun } from '../../codec/transfer-run.js';
import { builtInScenarios, seedCodec, type TransferSpec } from '../../codec/transfer.js';
import { type Outcome, outcomeOf } from '../../engines/transfer/outcome.js';
import { experiment, replay, reportOf, runText } from '../../engines/transfer/run.js';
import { builtInSpec } from '../../engines/transfer/scenarios.js';
import { createOutput, ofFile, readInput, readInputText, removeTemporary } from '../../home/files.js';
import { identityOf, readPublicKey, type Signer } from '../../journal/keys.js';
import { archiveBytes } from '../../archive/write.js';
import { sha256Hex } from '../../base/bytes.js';
import { checkDocket, type CheckedDocket } from '../../engines/transfer/docket-check.js';
import { docketMembers } from '../../engines/transfer/docket.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { openNote, signNote, type VerifierKey, verifierKeyText } from '../../journal/note.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/tools.js';

const default_seed = 37;

interface TransferRunOptions {
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
    removeTemporary(output);
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
  const bytes = readInput(file, transfer_document_bytes_max);
  const spec = ofFile(file, () => unwrap(decodeSpec(bytes)));
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

// The reports that the transfer commands print, and the commands that write a reviewed run or a docket.

export interface ArmSummary {
  readonly arm: ArmName;
  /** The policies, one per task. */
  readonly policies: readonly string[];
  readonly task_errors_milli: readonly number[];
  readonly error_milli: number;
  readonly max_error_milli: number;
  readonly forecast_calls: number;
}

export type RunSummary = Readonly<ReturnType<typeof summaryOf>>;

export type TransferReport = Readonly<ReturnType<typeof transferReport>>;

export const verdictOf = (outcome: Outcome) => {
  const { replay, bounded_transfer, human_overhead_milli, adjusted_advantage_milli, manuscript_promotion } = outcome;
  return { replay, bounded_transfer, human_overhead_milli, adjusted_advantage_milli, manuscript_promotion };
};

export const summaryOf = ({ spec, core, sha256, review }: TransferRun) => ({
  /** The run's own digest: it covers everything in the run except the review. */
  sha256,
  scenario: spec.scenario,
  seed: spec.seed,
  archive_enabled: spec.archive_enabled,
  risk_limit_milli: spec.risk_limit_milli,
  arms: arms.map((arm) => {
    const { tasks, error_milli, max_error_milli, forecast_calls } = core.arms[arm];
    return {
      arm,
      policies: tasks.map(({ policy }) => policy),
      task_errors_milli: tasks.map((task) => task.error_milli),
      error_milli,
      max_error_milli,
      forecast_calls,
    };
  }),
  metrics: core.metrics,
  review,
});

/** Returns the report of a command. @param content the bytes that were written to `output` */
const transferReport = (output: string, content: Buffer, run: TransferRun, outcome: Outcome) => ({
  output,
  /** SHA-256 of the file. */
  sha256: sha256Hex(content),
  bytes: content.length,
  ...verdictOf(outcome),
  run: summaryOf(run),
});

/** `transfer-review`: writes a new file with a run and a reviewer's decision. The run itself and its digest do not change. */
interface TransferReviewOptions {
  readonly run: string;
  readonly decision: string;
  readonly reviewer: string;
  readonly reason: string;
  /** The reviewer's time for the control (B5) and for the treatment (B6), in ms. */
  readonly control_ms: number;
  readonly treatment_ms: number;
  readonly timing_source: string;
  readonly output: string;
}

/** Writes the reviewed run; replaces a review that the run already has. @throws RefusalError */
export function transferReview({ run: file, output, ...given }: TransferReviewOptions): TransferReport {
  const { run } = readRun(file);
  const review = unwrap(decode(reviewCodec, { run_sha256: run.sha256, ...given }));
  const reviewed: TransferRun = { ...run, review };
  const outcome = unwrap(replay(reviewed));
  const content = Buffer.from(runText(reviewed));
  expectReadable(content, 'the reviewed run');
  createOutput(output, content);
  return transferReport(output, content, reviewed, outcome);
}

/** `transfer-docket`: writes the evidence of a run as an archive, with the same bytes for the same run. */
export interface TransferDocketReport extends TransferReport {
  readonly files: readonly string[];
}

/** Writes the docket of a run into a new file. @throws RefusalError */
export async function transferDocket(file: string, output: string): Promise<TransferDocketReport> {
  const { run, outcome } = readRun(file);
  const members = docketMembers(run, outcome);
  for (const { name, text } of members) expectReadable(Buffer.from(text), name);
  // The output must be valid for transfer-verify.
  unwrap(checkDocket(new Map(members.map(({ name, text }) => [name, text]))));
  const content = await archiveBytes(members.map(({ name, text }) => ({ name, source: Buffer.from(text) })));
  createOutput(output, content);
  return { ...transferReport(output, content, run, outcome), files: members.map(({ name }) => name) };
}

// Files of the transfer commands: untrusted inputs, outputs that must not exist, labels of specs, and signed notes (c2sp.org/signed-note).

const transfer_note_bytes_max = 65_536;

/** Whether the file is a ZIP: local file headers and the end record begin with these bytes (APPNOTE 4.3.7, 4.3.16). */
export const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';

/** Reads and recomputes a run. @throws RefusalError */
function readRun(file: string): CheckedDocket {
  const bytes = readInput(file, transfer_document_bytes_max);
  if (isArchive(bytes)) {
    throw new RefusalError('invalid', `${file} is an archive; give the JSON file of a run`);
  }
  return replayed(file, bytes);
}

/** Recomputes a run. @throws RefusalError */
export function replayed(file: string, bytes: Buffer): CheckedDocket {
  const run = ofFile(file, () => unwrap(decodeRun(bytes)));
  return { run, outcome: unwrap(replay(run)) };
}

/** Checks that content can be read back. @throws RefusalError when it cannot */
export function expectReadable(content: Uint8Array, what: string): void {
  if (content.length <= transfer_document_bytes_max) return;
  throw new RefusalError('too_large', `${what} would have more than ${transfer_document_bytes_max} bytes`);
}

/** Warns when a spec has a built-in scenario's name but differs from the built-in spec, and names the differences. */
export function labelWarnings(spec: TransferSpec): string[] {
  const known = builtInScenarios.find((name) => name === spec.scenario);
  if (known === undefined) return [];
  const builtIn = builtInSpec(known, spec.seed);
  const names = Object.keys(builtIn) as (keyof TransferSpec)[];
  const others = names.filter((name) => canonicalJson(spec[name]) !== canonicalJson(builtIn[name]));
  if (others.length === 0) return [];
  return [
    `the spec is labelled ${known}, seed ${spec.seed}, but differs from the built-in one of that label in ${others.join(', ')}`,
  ];
}

/**
 * Signed notes of runs (c2sp.org/signed-note). The text is `agent-cli transfer run`, a newline, the run's digest, and a newline:
 * 88 bytes. It can be mistaken neither for a checkpoint nor for the 32-byte digests that the same key signs.
 */
const use = 'agent-cli transfer run';
const textOf = (run_sha256: string): string => `${use}\n${run_sha256}\n`;

/**
 * Returns the verifier key with the name `agent-transfer/<first 16 hex of the key>`, which differs from the journal's name so
 * that the key ids differ too.
 */
const keyOf = (publicKey: Buffer): VerifierKey => ({
  name: `agent-transfer/${publicKey.toString('hex').slice(0, 16)}`,
  publicKey,
});

/** Returns a note on a run, and its verifier key in the format of Go's note package. */
export function signRun(signer: Signer, run_sha256: string) {
  const key = keyOf(signer.publicKey);
  return { note: signNote(signer, key.name, textOf(run_sha256)), vkey: verifierKeyText(key) };
}

type NoteClaim = Readonly<ReturnType<typeof readNote>>;

/** Reads a note and its key. @throws RefusalError for a file that is not a note, or text that is not a key */
export function readNote(file: string, key: string) {
  const publicKey = readPublicKey(key);
  return { note: readInputText(file, transfer_note_bytes_max), publicKey };
}

/** Returns who signed the run, or why the note does not prove that. */
export function checkNote(
  { note, publicKey }: NoteClaim,
  run_sha256: string,
): { readonly identity: string } | { readonly reason: string } {
  const text = openNote(note, keyOf(publicKey));
  if (text === null) return { reason: 'the note is not signed by this key' };
  if (text === textOf(run_sha256)) return { identity: identityOf(publicKey) };
  return { reason: text.startsWith(`${use}\n`) ? 'the note belongs to another run' : 'the note is for something else' };
}
