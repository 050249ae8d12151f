/** The kinds of files that commands read, each a valid one, the command that reads it, and what must hold after it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupHome } from '../../src/app/backup/backup.js';
import { transferRun } from '../../src/app/transfer/run.js';
import { exportText } from '../../src/app/exports/export.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { foreignDelivery, foreignKey, sampleJobs } from '../support/ascension.js';
import { completed, schedule } from '../support/given-home.js';
import { givenManifest } from '../support/given-tools.js';
import { mixedHome } from '../support/mixed-home.js';
import { packageRoot } from '../support/package-root.js';
import type { Loose } from '../support/schema-check.js';
import { docketFiles, runOf, zipOf } from '../support/transfer-samples.js';

/** The places of a command's files. */
export interface Paths {
  readonly input: string;
  /** What the command writes: a file or a home. It does not exist before. */
  readonly output: string;
  /** A file that is not mutated. */
  readonly beside: string;
}

export interface FileKind {
  readonly bytes: Buffer;
  readonly form: 'zip' | 'json' | 'text';
  /** What goes into `beside`. */
  readonly beside?: Buffer;
  readonly argv: (paths: Paths) => readonly string[];
  /**
   * What must hold when the command takes a mutated file: it prints what it prints for the valid one, or the command that checks its
   * output takes that. Null if another input may have another output.
   */
  readonly taken: 'same' | ((paths: Paths) => readonly string[]) | null;
  /** What of the printed document is the content of the file; by default the whole of it. */
  readonly content?: (value: Loose) => unknown;
}

const json = (value: unknown): Buffer => Buffer.from(canonicalJson(value));

/** Makes the kinds in an empty folder: the same bytes in every run, but for those that a home's random key signs. */
export async function fileKinds(folder: string): Promise<Readonly<Record<string, FileKind>>> {
  const { home: made } = await mixedHome();
  const backup = join(folder, 'backup.zip');
  const { exported, publicKey } = await made.with(async (home) => {
    const { id } = await completed(home, schedule());
    await backupHome(home, backup);
    return { exported: Buffer.from(exportText(home, id).text), publicKey: home.signer.publicKey.toString('hex') };
  });
  made.remove();
  const { proof } = JSON.parse(exported.toString()) as { readonly proof: string };
  const run = join(folder, 'run.json');
  transferRun({ scenario: 'seasonal', seed: undefined, spec: undefined, output: run, signer: null }, () => 0);
  const delivery = foreignDelivery();
  return {
    backup: {
      bytes: readFileSync(backup),
      form: 'zip',
      argv: ({ input }) => ['restore', input],
      taken: 'same',
      // The restored home has an entry more, about the restore.
      content: ({ restored }) => [restored.events, restored.head, restored.root],
    },
    export: {
      bytes: exported,
      form: 'json',
      argv: ({ input }) => ['verify-export', input, '--public-key', publicKey],
      taken: 'same',
    },
    proof: {
      bytes: Buffer.from(proof),
      form: 'text',
      beside: exported,
      argv: ({ input, beside }) => ['verify-proof', input, '--public-key', publicKey, '--export', beside],
      taken: 'same',
    },
    docket: {
      bytes: zipOf(docketFiles(runOf())),
      form: 'zip',
      argv: ({ input }) => ['transfer-verify', input],
      taken: 'same',
      content: ({ sha256: _file, ...verdict }) => verdict,
    },
    run: {
      bytes: readFileSync(run),
      form: 'json',
      argv: ({ input, output }) => ['transfer-docket', input, '--output', output],
      taken: ({ output }) => ['transfer-verify', output],
    },
    jobs: {
      bytes: json(sampleJobs(5)),
      form: 'json',
      argv: ({ input, output }) => ['ascension-compile', input, '--output', output],
      taken: ({ output }) => ['ascension-check', output],
    },
    plan: {
      bytes: readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'ascension', 'plan.json')),
      form: 'json',
      argv: ({ input }) => ['ascension-check', input],
      taken: 'same',
    },
    delivery: {
      bytes: Buffer.from(delivery.text),
      form: 'json',
      argv: ({ input }) => ['ascension-verify-delivery', input, '--public-key', foreignKey, '--plan-root', delivery.planRoot],
      taken: 'same',
    },
    manifest: {
      bytes: json(givenManifest()),
      form: 'json',
      argv: ({ input }) => ['tool', 'validate', input],
      taken: null,
    },
  };
}
