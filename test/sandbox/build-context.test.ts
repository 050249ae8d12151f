/** What .dockerignore lets into a build: every file that git tracks, and no private or built one beside them. */
import { deepStrictEqual, ok } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderForEach } from '../support/app/temporary-home.js';
import { filesBelow } from '../support/files-below.js';
import { packageRoot } from '../support/package-root.js';
import { podman } from '../support/sandbox/program-image.js';
import { real } from '../support/real.js';

const root = packageRoot(import.meta.url);
/** Tracked, but for the checks of a change. */
const left_out = /^\.ci\//;
const unwanted = [
  '.env',
  '.git/config',
  'deploy/.env.production',
  'dist/program/src/cli/start.js',
  'fuzz-failures/http-1-2.bin',
  'node_modules/koa/package.json',
  'test/packages/node_modules/x/index.js',
  'agent-cli-2.0.0.tgz',
  'backups/monday.zip',
  'backups/monday.zip.age',
  'npm-debug.log',
];

real('container', 'the context of an image build', () => {
  const folder = folderForEach();

  it('has every tracked file, and neither private nor built files', () => {
    const [context, copied] = [join(folder.get(), 'context'), join(folder.get(), 'copied')];
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
    ok(tracked.length > 1_000);
    for (const path of [...tracked, ...unwanted]) {
      mkdirSync(dirname(join(context, path)), { recursive: true });
      writeFileSync(join(context, path), '');
    }
    cpSync(join(root, '.dockerignore'), join(context, '.dockerignore'));
    const dockerfile = join(folder.get(), 'Dockerfile');
    writeFileSync(dockerfile, 'FROM scratch\nCOPY . /\n');
    podman('build', '--quiet', '--runtime', 'runc', '--file', dockerfile, '--output', `type=local,dest=${copied}`, context);
    deepStrictEqual(filesBelow(copied).toSorted(), tracked.filter((path) => !left_out.test(path)).toSorted());
  });
});
