/**
 * Tests on real parts: a system call tracer, a file system that loses power, a full disk. Where a part is absent its tests are
 * skipped and say why; with REQUIRE_REAL=1 they fail.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fullEffort } from './effort.js';
import { packageRoot } from './package-root.js';

/** As listed, with what each means, in scripts/parts.mjs. */
export type Part =
  | 'strace'
  | 'power-loss'
  | 'tmpfs'
  | 'read-only-mount'
  | 'other-user'
  | 'openssl'
  | 'ssh-keygen'
  | 'python'
  | 'python-grpc'
  | 'r'
  | 'openapi-typescript'
  | 'python-formats'
  | 'chromium'
  | 'anvil'
  | 'nats'
  | 'netns'
  | 'container'
  | 'compose'
  | 'age'
  | 'prometheus'
  | 'nginx'
  | 'systemd'
  | 'go'
  | 'node-22'
  | 'node-24'
  | 'node-arm64'
  | 'oclif-host'
  | 'mcp-tools'
  | 'libreoffice'
  | 'llama-server'
  | 'test-data';

/** Parts whose absence fails no run, because the project passes without them. A run of the full figures needs all but the last. */
const optional: readonly Part[] = fullEffort ? ['test-data'] : ['libreoffice', 'llama-server', 'test-data'];

type Answers = Partial<Record<Part, string | null>>;
/** A whole `npm test` has probed already; a file that is run alone probes what it needs. */
const answers = JSON.parse(process.env.AGENT_TEST_PARTS || '{}') as Answers;

const partsScript = (...args: string[]): string =>
  spawnSync(process.execPath, [join(packageRoot(import.meta.url), 'scripts', 'parts.mjs'), ...args], { encoding: 'utf8' }).stdout;

/** The command line that starts another Node, for the parts that are one. */
export const foreignNode = (part: Part): readonly string[] =>
  (JSON.parse(partsScript('--nodes')) as Readonly<Partial<Record<Part, readonly string[]>>>)[part] ?? [];

/** The commands that run another one where it cannot write: `readOnlyMount DIRECTORY COMMAND…`, `otherUser COMMAND…`. */
export const confined = (): Readonly<Record<'readOnlyMount' | 'otherUser', readonly string[]>> =>
  JSON.parse(partsScript('--confined')) as ReturnType<typeof confined>;

/** The directory of a host of oclif plugins, as installed by ci-install. */
export const oclifHost = (): string => JSON.parse(partsScript('--oclif-host')) as string;

/** The directory with openapi-typescript, as installed by ci-install. */
export const typedClient = (): string => JSON.parse(partsScript('--typed-client')) as string;

/** The directory with the conformance suite and the Inspector of the Model Context Protocol, as installed by ci-install. */
export const mcpTools = (): string => JSON.parse(partsScript('--mcp-tools')) as string;

/** Why a part cannot be used on this machine, or null. */
export function whyAbsent(part: Part): string | null {
  if (answers[part] === undefined) Object.assign(answers, JSON.parse(partsScript(part)));
  return answers[part] ?? null;
}

/** What the absence of `parts` means: nothing, a skip with its reason, or a failure. */
function verdict(parts: readonly Part[]): { readonly act: 'run' | 'skip' | 'fail'; readonly why: string } {
  const absent = parts.flatMap((part) => {
    const why = whyAbsent(part);
    return why === null ? [] : [{ part, why: `${part}: ${why}` }];
  });
  if (absent.length === 0) return { act: 'run', why: '' };
  const must = process.env.REQUIRE_REAL === '1' && absent.some(({ part }) => !optional.includes(part));
  return { act: must ? 'fail' : 'skip', why: absent.map(({ why }) => why).join('; ') };
}

/** A suite that needs real parts: `describe(title, body)` where they are present. */
export function real(parts: Part | readonly Part[], title: string, body: (this: Mocha.Suite) => void): void {
  const { act, why } = verdict([parts].flat());
  if (act === 'run') describe(title, body);
  else if (act === 'skip') describe.skip(`${title} [skipped, ${why}]`, body);
  else
    describe(title, () => {
      it('has its real parts (REQUIRE_REAL=1)', () => {
        throw new Error(why);
      });
    });
}

/** Inside a test or hook: `requirePart(this, 'strace')`. */
export function requirePart(context: Mocha.Context, ...parts: readonly Part[]): void {
  const { act, why } = verdict(parts);
  if (act === 'fail') throw new Error(why);
  if (act === 'skip') {
    console.log(`    skipped, ${why}`);
    context.skip();
  }
}
