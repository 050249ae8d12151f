/** The command of README.md that packs a clone in which only `npm start` has run. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { match, ok } from 'node:assert';
import { dirname, join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { lockedPackages } from '../support/cli/packed.js';
import { build_ms_max } from '../support/wait.js';

const root = packageRoot(import.meta.url);
const text = { encoding: 'utf8', timeout: build_ms_max, maxBuffer: 16_777_216, stdio: 'pipe' } as const;

/** Returns the paths of the packages that `npm ci --workspaces=false` installs: those of the program and its build. */
function installedByStart(): string[] {
  const args = ['sbom', '--package-lock-only', '--workspaces=false', '--sbom-format=cyclonedx'];
  const { components } = JSON.parse(execFileSync('npm', args, { ...text, cwd: root })) as {
    readonly components: readonly { readonly 'bom-ref': string }[];
  };
  const listed = new Set(components.map((one) => one['bom-ref']));
  const nameOf = (at: string): string => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return Object.entries(lockedPackages())
    .filter(([at, { version = '' }]) => at.startsWith('node_modules/') && listed.has(`${nameOf(at)}@${version}`))
    .map(([at]) => at)
    .filter((at) => fs.existsSync(join(root, at)));
}

/** Copies the files that git tracks, and links the packages. */
function cloneAfterStart(clone: string): void {
  const tracked = execFileSync('git', ['ls-files', '-z', '--', '.', ':!test', ':!bench', ':!docs/**/*.webp'], {
    ...text,
    cwd: root,
  });
  for (const path of tracked.split('\0').filter(Boolean)) {
    fs.mkdirSync(dirname(join(clone, path)), { recursive: true });
    fs.cpSync(join(root, path), join(clone, path));
  }
  const locked = lockedPackages();
  const installed = new Set(installedByStart());
  for (const at of installed) {
    if (at.split('node_modules/').length > 2) continue;
    fs.mkdirSync(dirname(join(clone, at)), { recursive: true });
    fs.symlinkSync(join(root, at), join(clone, at));
  }
  const packages = Object.fromEntries(Object.entries(locked).filter(([at]) => installed.has(at)));
  fs.writeFileSync(join(clone, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
}

describe('a clone in which npm start has run', () => {
  const clone = fs.realpathSync(folderForSuite());
  before(() => cloneAfterStart(clone));

  it('is built and packed as README.md says, without the packages of the tests', () => {
    const line = /^npm pack$/m.exec(fs.readFileSync(join(root, 'README.md'), 'utf8'))?.[0] ?? '';
    match(line, /npm pack/);
    ok(!fs.readdirSync(join(clone, 'node_modules')).includes('mocha'));
    const env = { ...process.env, npm_config_update_notifier: 'false' };
    execFileSync('/bin/sh', ['-c', line], { ...text, cwd: clone, env });
    const archive = fs.readdirSync(clone).find((name) => name.endsWith('.tgz')) ?? '';
    const listed = execFileSync('tar', ['-tzf', join(clone, archive)], text).split('\n');
    for (const path of ['bin/agent-cli.js', 'dist/program/src/cli/start.js', 'dist/console/index.html', 'dist/man/agent-cli.1'])
      ok(listed.includes(`package/${path}`), path);
  });
});
