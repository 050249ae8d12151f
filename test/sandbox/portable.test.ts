/** The portable folder: built by scripts/portable, and used in a container that has no Node. @slow */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Database } from '../../src/store/sqlite.js';
import { commandScript } from '../support/cli/docs-block.js';
import { fullEffort } from '../support/effort.js';
import { filesBelow } from '../support/files-below.js';
import { packageRoot } from '../support/package-root.js';
import { runningPackages } from '../support/cli/packed.js';
import { foreignNode, real, requirePart } from '../support/real.js';
import { buildImage } from '../support/sandbox/sandbox.js';
import { walkTour } from '../support/cli/tour.js';
import { build_ms_max } from '../support/wait.js';
import { assertNone } from '../support/lists.js';

const root = packageRoot(import.meta.url);
const text = { encoding: 'utf8', timeout: build_ms_max, maxBuffer: 2 ** 26 } as const;
const user = 10_001;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const name = `agent-cli-${version}-linux-${process.arch}`;

/** scripts/root-files.mjs with types: it is plain JavaScript. */
interface RootFiles {
  readonly librariesOf: (file: string) => readonly string[];
  readonly copyBelow: (root: string, from: string, to?: string) => void;
}
const { librariesOf, copyBelow } = (await import(pathToFileURL(join(root, 'scripts', 'root-files.mjs')).href)) as RootFiles;

/** scripts/elf.mjs with types. */
interface Elf {
  readonly foreignLibraries: (bytes: Buffer) => readonly string[];
}
const { foreignLibraries } = (await import(pathToFileURL(join(root, 'scripts', 'elf.mjs')).href)) as Elf;

const isNewer = Number(process.versions.napi) >= 10;
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const isNative = (path: string): boolean => path.endsWith('.node') || path === 'lib/node';
const script = join(root, 'scripts', 'portable');

interface Component {
  readonly 'bom-ref': string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly unknown[];
  readonly components?: readonly { readonly name: string; readonly version: string }[];
}

/** The root directory of a system with a shell, `readlink`, and the libraries that the folder asks for: no Node, no npm. */
function system(image: string, folder: string): void {
  const programs = ['/bin/sh', '/usr/bin/readlink'];
  for (const program of programs) copyBelow(image, program);
  const native = filesBelow(folder)
    .filter(isNative)
    .map((path) => join(folder, path));
  for (const library of new Set([...programs, ...native].flatMap(librariesOf))) copyBelow(image, library);
}

real('container', 'the portable folder', () => {
  let scratch: string;
  let folder: string;
  let shown: string;
  let archive: string;
  let container = '';
  const build = (...args: readonly string[]): string => {
    const PATH = `${join(scratch, 'tools')}:${process.env['PATH'] ?? ''}`;
    return execFileSync(script, args, { ...text, env: { ...process.env, PATH } });
  };
  before(() => {
    // On the disk: it is larger than what the file system in memory is meant for.
    scratch = mkdtempSync(join(root, 'dist', 'portable-test-'));
    mkdirSync(join(scratch, 'tools'));
    // Compressing well takes five seconds of the processor.
    const quick = '#!/bin/sh\nexec /bin/gzip -1 "$@"\n';
    if (!fullEffort) writeFileSync(join(scratch, 'tools', 'gzip'), quick, { mode: 0o755 });
    const said = build('--output', scratch);
    match(said, /\nsha256 {2}[0-9a-f]{64}\nneeds {3}glibc \d\.\d+, GLIBCXX_[\d.]+\n$/);
    // The root directory of the container, whose system is the folder's needs and nothing else.
    const image = join(scratch, 'root');
    mkdirSync(join(image, 'opt'), { recursive: true });
    for (const file of [`${name}.tar.gz`, `${name}.tar.gz.sha256`]) renameSync(join(scratch, file), join(image, 'opt', file));
    shown = execFileSync(
      '/bin/sh',
      ['-c', commandScript(readFileSync(join(root, 'docs', 'installation.md'), 'utf8'), 'portable')],
      {
        cwd: join(image, 'opt'),
        env: { PATH: '/usr/bin:/bin', HOME: join(scratch, 'me') },
        encoding: 'utf8',
        timeout: build_ms_max,
      },
    );
    [folder, archive] = [join(image, 'opt', name), join(image, 'opt', `${name}.tar.gz`)];
    system(image, folder);
    mkdirSync(join(scratch, 'data'));
    chownSync(join(scratch, 'data'), user, user);
  });
  after(() => {
    if (container !== '') execFileSync('podman', ['rm', '--force', '--time', '0', container], text);
    rmSync(scratch, { recursive: true, force: true });
  });

  it('is checked, unpacked and started as docs/installation.md says', () => {
    strictEqual(shown.split('\n')[0], `${name}.tar.gz: OK`);
    match(shown, /^public key +[0-9a-f]{64}$/m);
  });

  it('runs the whole way in a container without Node, read-only, without a network, as an unprivileged user', () => {
    const flags = ['--runtime', 'runc', '--network', 'none', '--read-only', '--cap-drop', 'ALL', '--user', `${user}:${user}`];
    const limits = ['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
    const data = ['--volume', `${join(scratch, 'data')}:/data`, '--workdir', '/data', '--env', 'HOME=/data'];
    const podman = (...words: readonly string[]): string => execFileSync('podman', words, text);
    // The system has no program that waits: the folder's own Node does, and the commands run beside it.
    const idle = [`/opt/${name}/lib/node`, '--eval', 'setInterval(() => {}, 2 ** 31 - 1)'];
    const rootfs = ['--rootfs', join(scratch, 'root')];
    container = podman('run', '--rm', '--detach', ...flags, ...limits, ...data, ...rootfs, ...idle).trim();
    const inside = (...words: readonly string[]): string => podman('exec', container, ...words);
    strictEqual(
      inside('/bin/sh', '-c', 'command -v node || echo none; echo x 2>/dev/null >/opt/x || echo read-only'),
      'none\nread-only\n',
    );
    const program = `/opt/${name}/bin/agent-cli`;
    walkTour({
      agent: (...words) => JSON.parse(inside(program, ...words, '--json')) as Record<string, unknown>,
      at: (file) => `/data/${file}`,
    });
  });

  it('lists Node with version, SHA-256, licence and parts in the bill of materials, and each package that it holds', () => {
    const { components } = JSON.parse(readFileSync(join(folder, 'bom.cdx.json'), 'utf8')) as {
      readonly components: readonly Component[];
    };
    const node = components.find((one) => one['bom-ref'] === `node@${process.versions.node}`);
    deepStrictEqual(node?.hashes, [{ alg: 'SHA-256', content: sha256(join(folder, 'lib', 'node')) }]);
    strictEqual(sha256(join(folder, 'lib', 'node')), sha256(process.execPath));
    const parts = new Map(node?.components?.map((part) => [part.name, part.version]));
    deepStrictEqual([parts.get('openssl'), parts.get('v8')], [process.versions.openssl, process.versions.v8]);
    const [sqlite] = components.findLast((one) => one['bom-ref'].startsWith('better-sqlite3@'))?.components ?? [];
    const used = new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get();
    deepStrictEqual([sqlite?.name, sqlite?.version], ['sqlite', used]);
    match(readFileSync(join(folder, 'lib', 'node.LICENSE'), 'utf8'), /Node\.js/);
    assertNone(components, ({ licenses }) => licenses.length === 0);
    const listed = components.map((one) => one['bom-ref']).filter((ref) => ref !== node?.['bom-ref']);
    const modules = join(folder, 'lib', 'agent-cli');
    const held = runningPackages().map((at) => {
      const described = JSON.parse(readFileSync(join(modules, at, 'package.json'), 'utf8')) as { name: string; version: string };
      return `${described.name}@${described.version}`;
    });
    const pages = listed.filter((ref) => ref.startsWith('preact@'));
    deepStrictEqual(listed.toSorted(), [...new Set([...held, ...pages])].toSorted());
    strictEqual(pages.length, 1, 'its code is in the bundles of the pages');
    const notice = readFileSync(join(folder, 'NOTICE'), 'utf8');
    assertNone(listed, (ref) => !notice.includes(`\n${ref.replace(/@(?=[^@]+$)/, ' ')}\nLicence: `));
  });

  it('names the oldest glibc on which all of its native code starts, and holds none for other machines', () => {
    const native = filesBelow(folder).filter(isNative);
    const names = native.map((path) => path.replace('lib/agent-cli/node_modules/', '')).toSorted();
    const older = 'better-sqlite3/build/Release/better_sqlite3.node';
    // Where npm runs install scripts, newer Nodes have both.
    deepStrictEqual(isNewer ? names.filter((one) => one !== older) : names, [
      isNewer ? `better-sqlite3-13/prebuilds/linux-${process.arch}.node` : older,
      'lib/node',
      `sodium-native/prebuilds/linux-${process.arch}/sodium-native.node`,
    ]);
    const asked = native.flatMap(
      (path) => readFileSync(join(folder, path), 'latin1').match(/(?<=\0GLIBC_2\.)\d+(?=(?:\.\d+)?\0)/g) ?? [],
    );
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const [, minor] = /with glibc 2\.(\d+) or later/.exec(readme) ?? [];
    strictEqual(Number(minor), Math.max(...asked.map(Number)));
    strictEqual(readme.includes('{{'), false);
    strictEqual(readme.includes(sha256(join(folder, 'lib', 'node'))), true);
  });

  it('needs no library beside those of glibc and GCC, and names those of a program that does', () => {
    const native = filesBelow(folder).filter(isNative);
    deepStrictEqual(
      native.flatMap((path) => foreignLibraries(readFileSync(join(folder, path)))),
      [],
    );
    const foreign = foreignLibraries(readFileSync('/usr/bin/openssl'));
    match(foreign.join(' '), /libssl\.so\.\d/);
    match(foreign.join(' '), /^(?!.*libc\.so)/);
  });

  it('is packed the same way each time: in order, of owner 0, with the time of the sources', () => {
    const env = { TZ: 'UTC' };
    const listed = execFileSync('tar', ['--numeric-owner', '--full-time', '-tvzf', archive], { ...text, env });
    const lines = listed
      .trim()
      .split('\n')
      .map((line) => /^\S+ (\S+) +\d+ (\S+ \S+) (.*?)(?: -> .*)?$/.exec(line)?.slice(1) ?? []);
    const times = new Set(lines.map(([owner, time]) => `${owner} ${time}`));
    const source =
      process.env['SOURCE_DATE_EPOCH'] ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
    const time = new Date(Number(source) * 1_000).toISOString();
    deepStrictEqual([...times], [`0/0 ${time.replace(/T(.*)\.000Z/, ' $1')}`]);
    const files = lines.map(([, , path = '']) => path).filter((path) => !path.endsWith('/'));
    deepStrictEqual(files.length, filesBelow(folder).length);
    if (!fullEffort) return;
    const before = sha256(archive);
    build('--output', dirname(archive));
    strictEqual(sha256(archive), before);
  });

  it('has what builds the image of code missions with its own Node', () => {
    const builder = join(folder, 'lib', 'agent-cli', 'scripts', 'sandbox-image.mjs');
    const run = (...args: readonly string[]): SpawnSyncReturns<string> =>
      spawnSync(join(folder, 'lib', 'node'), [builder, ...args], { ...text, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
    const refused = run('x');
    deepStrictEqual([refused.status, refused.stderr], [2, 'scripts/sandbox-image takes no arguments\n']);
    if (fullEffort) strictEqual(run().stdout, buildImage(), 'from the same Node');
  });

  it('starts through links, with its own Node', () => {
    const links = join(scratch, 'links');
    mkdirSync(links);
    symlinkSync(join(folder, 'bin', 'agent-cli'), join(links, 'absolute'));
    symlinkSync('absolute', join(links, 'agent-cli'));
    for (const start of ['agent-cli', join(links, 'absolute')]) {
      const env = { PATH: `${links}:/usr/bin:/bin` };
      const { status, stdout, stderr } = spawnSync(start, ['version'], { cwd: links, env, encoding: 'utf8' });
      strictEqual(status, 0, stderr);
      match(stdout, new RegExp(`linux-${process.arch} node-v${process.versions.node.replaceAll('.', '\\.')}`));
    }
  });

  it('is not made with a Node that the native code is not for', function () {
    requirePart(this, 'node-22', 'node-24');
    if (isNewer) this.skip();
    const others = (['node-22', 'node-24'] as const).map((part) => foreignNode(part)[0] ?? '');
    const other = others.find((node) => !process.version.startsWith(`v${/-(\d+)\/node$/.exec(node)?.[1] ?? ''}.`)) ?? '';
    const licence = join(root, 'LICENSE');
    const args = ['--node', other, '--node-licence', licence, '--output', scratch];
    const { status, stderr } = spawnSync(script, args, { encoding: 'utf8' });
    strictEqual(status, 1, stderr);
    match(stderr, /^the packages in node_modules do not run with Node \S+: .*\n {2}→ run npm ci with that Node\n$/);
  });
});
