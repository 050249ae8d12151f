/** Files that commands read, mutated: backups, exports, proofs, dockets, plans, deliveries, manifests. */
import { deepStrictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupHome } from '../../src/app/backup/backup.js';
import { exportText } from '../../src/app/exports/export.js';
import { transferRun } from '../../src/app/transfer/run.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { Prng } from '../../src/base/prng.js';
import { altered } from '../app/backup/archives.js';
import { foreignDelivery, foreignKey, sampleJobs } from '../support/app/ascension.js';
import { type Mutant, mutateBytes, pick } from '../support/archive/byte-mutations.js';
import { cold, type Env, Operator, said, type Said } from '../support/crash/crash-cli.js';
import { completed, schedule } from '../support/app/given-home.js';
import { givenManifest } from '../support/app/given-tools.js';
import { mixedHome } from '../support/app/mixed-home.js';
import { packageRoot } from '../support/package-root.js';
import type { Loose } from '../support/http/schema-check.js';
import { docketFiles, runOf, zipOf } from '../support/app/transfer-samples.js';
import { hang_ms } from '../support/wait.js';
import { mutateZip } from '../support/archive/zip-mutate.js';
import { mutateJson } from './json-mutations.js';
import { faultsOf, Outcomes, type Target, type TargetKind } from './target.js';

/** Exit codes of a file that is not taken: not usable, damaged or refuted, of a newer version. */
const refused: readonly number[] = [2, 3, 4];
/** Every so many inputs the command runs as a process of its own, which also shows how it ends. */
const cold_every = 25;

class Files implements Target {
  readonly outcomes = new Outcomes();
  private operator = new Operator();
  private tries = 0;
  private readonly usual = new Map<string, Said>();
  private readonly place: string;
  private readonly paths: Paths;
  private readonly env: Env;

  constructor(
    private readonly folder: string,
    private readonly kinds: Readonly<Record<string, FileKind>>,
  ) {
    this.place = join(folder, 'place');
    this.paths = {
      input: join(this.place, 'input'),
      output: join(this.place, 'output'),
      beside: join(this.place, 'beside'),
    };
    this.env = { AGENT_HOME: this.paths.output, AGENT_WITNESS: join(folder, 'witness') };
  }

  readonly make = async (random: Prng): Promise<Mutant> => {
    const name = pick(Object.keys(this.kinds), random);
    const { bytes, what } = await this.mutant(this.kindOf(name), name, random);
    return { bytes: Buffer.concat([Buffer.from(`${name}\n`), bytes]), what: `${name}: ${what}` };
  };

  private async mutant({ bytes, form }: FileKind, name: string, random: Prng): Promise<Mutant> {
    if (name === 'backup' && random.below(2) === 0) return this.consistent(bytes, random);
    if (form === 'zip') return mutateZip(bytes, random.uint32(), 0);
    if (form === 'text' || random.below(2) === 0) return mutateBytes(bytes, random);
    return mutateJson(JSON.parse(bytes.toString()), random);
  }

  /** A backup with a mutated member, and a manifest that agrees with it. */
  private async consistent(bytes: Buffer, random: Prng): Promise<Mutant> {
    const [file, to] = [join(this.folder, 'whole.zip'), join(this.folder, 'altered.zip')];
    writeFileSync(file, bytes);
    const name = pick(['config.json', 'identity.key', 'api.token', 'journal.sqlite3', 'journal.sqlite3'], random);
    let what = '';
    await altered(file, to, {
      members: (members) => {
        const mutant = mutateBytes(members.get(name) ?? Buffer.alloc(0), random);
        members.set(name, mutant.bytes);
        ({ what } = mutant);
      },
    });
    return { bytes: readFileSync(to), what: `${name}, with a manifest that agrees: ${what}` };
  }

  readonly try = async (input: Buffer): Promise<readonly string[]> => {
    const end = input.indexOf('\n');
    const name = input.subarray(0, end).toString();
    const kind = this.kindOf(name);
    const usual = await this.usually(name, kind);
    this.put(input.subarray(end + 1), kind);
    const argv = kind.argv(this.paths);
    const isCold = this.tries++ % cold_every === 0;
    const ran = isCold ? said(await cold([...argv, '--json'], this.env)) : await this.warm(argv);
    if (ran === null) return [`${argv.join(' ')}: no end`];
    this.outcomes.add(`${name} ${ran.code}`);
    const faults = await this.faultsOf(kind, ran, usual);
    return faults.map((fault) => `${argv[0] ?? ''}: ${fault}`);
  };

  private async faultsOf({ taken, content = whole }: FileKind, ran: Said, usual: Said): Promise<readonly string[]> {
    const { code, stderr } = ran;
    const trace = /^ {4}at /m.test(stderr) ? [`a stack trace: ${stderr.slice(0, 2_000)}`] : [];
    if (code !== 0) {
      const isRefused = refused.includes(code);
      const left = readdirSync(this.place).filter((file) => !['input', 'beside'].includes(file));
      return [
        ...trace,
        ...(isRefused ? [] : [`exit code ${code}: ${stderr.slice(0, 2_000)}`]),
        ...left.map((file) => `exit code ${code}, and ${file} is left behind`),
      ];
    }
    if (taken === null) return trace;
    if (taken === 'same')
      return [...trace, ...faultsOf(() => deepStrictEqual(content(comparable(ran)), content(comparable(usual))))];
    const check = await this.warm(taken(this.paths));
    return [...trace, ...(check?.code === 0 ? [] : [`its output is refused: ${check?.stderr ?? 'no end'}`])];
  }

  private kindOf(name: string): FileKind {
    const kind = this.kinds[name];
    if (kind === undefined) throw new Error(`no such kind of file: ${name}`);
    return kind;
  }

  /** What the command says of the file that was not mutated. */
  private async usually(name: string, kind: FileKind): Promise<Said> {
    const known = this.usual.get(name);
    if (known !== undefined) return known;
    this.put(kind.bytes, kind);
    const ran = await this.warm(kind.argv(this.paths));
    if (ran?.code !== 0) throw new Error(`the valid ${name} is refused: ${ran?.stderr ?? 'no end'}`);
    this.usual.set(name, ran);
    return ran;
  }

  private put(bytes: Buffer, { beside }: FileKind): void {
    for (const folder of [this.place, this.env['AGENT_WITNESS'] ?? '']) rmSync(folder, { recursive: true, force: true });
    mkdirSync(this.place);
    writeFileSync(this.paths.input, bytes);
    if (beside !== undefined) writeFileSync(this.paths.beside, beside);
  }

  /** Runs a command in the process that is kept; null if it does not end, after which there is another process. */
  private async warm(argv: readonly string[]): Promise<Said | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), hang_ms / 2)));
    try {
      const ran = await Promise.race([this.operator.run(argv, this.env), late]);
      if (ran === null) this.another();
      return ran;
    } catch (error) {
      this.another();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private another(): void {
    this.operator.kill();
    this.operator = new Operator();
  }

  readonly close = async (): Promise<readonly string[]> => {
    this.operator.stop();
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve([]);
  };
}

/** What a command prints, without what differs from run to run. */
const comparable = ({ value }: Said): Loose =>
  JSON.parse(JSON.stringify(value).replaceAll(/"elapsed_ms":[0-9.]+/g, '"elapsed_ms":0'));
const whole = (value: Loose): unknown => value;

async function open(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-fuzz-files-'));
  return new Files(folder, await fileKinds(folder));
}

export const files: TargetKind = {
  name: 'files',
  what: 'mutated backups, exports, proofs, dockets, plans, deliveries and manifests to the commands that read them',
  invariants: [
    'the command ends, with exit code 0, 2, 3 or 4 and without a stack trace',
    'a file that is not taken leaves nothing behind',
    'a file that is taken has the content of the valid one, or an output that verifies',
  ],
  open,
};

/** The places of a command's files. */
interface Paths {
  readonly input: string;
  /** What the command writes: a file or a home. It does not exist before. */
  readonly output: string;
  /** A file that is not mutated. */
  readonly beside: string;
}

interface FileKind {
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
