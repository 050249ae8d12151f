/** Transfer runs, specs and dockets for tests, and what the program makes of altered ones. */
import * as E from 'fp-ts/lib/Either.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transferVerify, type TransferVerdict } from '../../../src/app/transfer/verify.js';
import { makeRun, transferRun, type TransferRunReport } from '../../../src/app/transfer/run.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { RefusalError, unwrap } from '../../../src/base/refusal.js';
import { decodeRun, type TransferReview, type TransferRun } from '../../../src/codec/transfer-run.js';
import { digestOf } from '../../../src/codec/transfer-text.js';
import type { TransferSpec } from '../../../src/codec/transfer.js';
import { checksums, checksumsText, docketMembers, type DocketName } from '../../../src/engines/transfer/docket.js';
import { outcomeOf, type Outcome } from '../../../src/engines/transfer/outcome.js';
import { replay } from '../../../src/engines/transfer/run.js';
import { folderForEach } from './temporary-home.js';
import { buildZip } from '../archive/zip-builder.js';
import { orRefusal } from './given-home.js';

const repeated = (period: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, i) => period[i % period.length] ?? 0);

/** The smallest spec that there is: two tasks whose pattern the training knows. */
export const smallSpec: TransferSpec = {
  schema: 'agialpha.transfer.v1.spec',
  scenario: 'custom',
  seed: 7,
  training: repeated([4, 9, -2], 20),
  tasks: [
    { id: 'first', observed: repeated([1, 30, 5], 6), heldout: repeated([1, 30, 5], 4) },
    { id: 'second', observed: repeated([-40, 2, 70], 6), heldout: repeated([-40, 2, 70], 4) },
  ],
  archive_enabled: true,
  call_cost_milli: 2,
  human_cost_milli_per_second: 10,
  coordination_cost_milli: 1,
  risk_limit_milli: 1_000,
};

/** A run of one millisecond. */
export const runOf = (spec: TransferSpec = smallSpec): TransferRun => makeRun(spec, () => 0);

export const reviewed = (run: TransferRun, changes: Partial<TransferReview> = {}): TransferRun => ({
  ...run,
  review: {
    run_sha256: run.sha256,
    decision: 'accept',
    reviewer: 'Ana',
    reason: 'checked the predictions',
    control_ms: 2_000,
    treatment_ms: 3_000,
    timing_source: 'operator-reported',
    ...changes,
  },
});

/** Makes the digests of an altered run fit again, as whoever altered it would. */
export function resealed(document: unknown): unknown {
  const run = structuredClone(document) as { [member: string]: unknown; core: { [member: string]: unknown } };
  const { sha256: _, ...capability } = run.core['capability'] as Record<string, unknown>;
  run.core['capability'] = { ...capability, sha256: digestOf(capability) };
  const { sha256: __, review, ...body } = run;
  const sha256 = digestOf(body);
  const review_ = review === null ? null : { ...(review as object), run_sha256: sha256 };
  return { ...body, sha256, review: review_ };
}

/** `verified`, or the refusal as `code: detail`. */
export function judge(document: unknown): string {
  const run = decodeRun(Buffer.from(typeof document === 'string' ? document : canonicalJson(document)));
  const outcome = E.isLeft(run) ? run : replay(run.right);
  return E.isLeft(outcome) ? `${outcome.left.code}: ${outcome.left.detail}` : 'verified';
}

export const outcome = (run: TransferRun): Outcome => unwrap(replay(run));

export type Files = ReadonlyMap<DocketName, string>;
export const docketFiles = (run: TransferRun): Files =>
  new Map(docketMembers(run, outcomeOf(run)).map(({ name, text }) => [name, text]));

/** The files with one of them altered, and checksums that fit. */
export function withFile(files: Files, name: DocketName, text: string, fits = true): Files {
  const altered = new Map([...files, [name, text]]);
  return fits ? altered.set(checksums, checksumsText(altered)) : altered;
}

export const zipOf = (files: Files): Buffer => buildZip([...files].map(([name, content]) => ({ name, content })));

/** What transfer-verify says of a file: `verified`, `refuted: reason`, or the refusal as `code: detail`. */
export async function verifyFile(file: string, note?: string, publicKey?: string): Promise<string> {
  const verdict = await said(() => transferVerify({ file, note, publicKey }));
  if (typeof verdict === 'string') return verdict;
  return verdict.valid ? verdict.replay : `refuted: ${String(verdict.reason)}`;
}

/** The result, or the refusal as `code: detail`. */
export const said = (act: () => Promise<TransferVerdict>): Promise<TransferVerdict | string> =>
  orRefusal(act, ({ code, detail }) => `${code}: ${detail}`);

/** What an operator says of a run: the arguments of transfer-review without its files. */
export const review = {
  decision: 'accept',
  reviewer: 'Ana',
  reason: 'fits',
  control_ms: 1,
  treatment_ms: 2,
  timing_source: 'operator-reported',
};

const asked = { scenario: 'seasonal', seed: undefined, spec: undefined, signer: null } as const;

export interface TransferFolder {
  readonly directory: () => string;
  readonly at: (name: string) => string;
  /** Writes a file: text and bytes as they are, anything else as canonical JSON. Returns its path. */
  readonly put: (name: string, content: unknown) => string;
  /** `code: detail` with the folder as DIR, or `done`. */
  readonly refusal: (act: () => unknown) => Promise<string>;
  /** The built-in seasonal scenario, to run.json, but for what is changed. */
  readonly run: (changes?: Partial<Parameters<typeof transferRun>[0]>) => TransferRunReport;
}

/** An empty folder for each test, and the transfer commands in it. */
export function transferFolder(): TransferFolder {
  const folder = folderForEach();
  const at = (name: string): string => join(folder.get(), name);
  return {
    directory: folder.get,
    at,
    put: (name, content) => {
      writeFileSync(at(name), typeof content === 'string' || Buffer.isBuffer(content) ? content : canonicalJson(content));
      return at(name);
    },
    refusal: async (act) => {
      try {
        await act();
      } catch (error) {
        if (error instanceof RefusalError)
          return `${error.refusal.code}: ${error.refusal.detail}`.replaceAll(folder.get(), 'DIR');
        throw error;
      }
      return 'done';
    },
    run: (changes = {}) => transferRun({ ...asked, output: at('run.json'), ...changes }),
  };
}
