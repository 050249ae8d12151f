/**
 * npm run build: installs the packages that are missing, compiles what changed to dist/, bundles the pages and the program, and writes the manifests
 * and the manual pages. Types are the subject of `npm run check`. With `--tests` it installs the packages of the tests and benches too.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp, compile, isBuilt } from './compile.mjs';
import { main, nodeLater, prepare, root, Stop } from './machine.mjs';

async function run(name, ...args) {
  const env = { ...process.env, NODE_ENV: 'production' };
  if ((await nodeLater([join(root, 'scripts', `${name}.mjs`), ...args], { env })) !== 0)
    throw new Stop(`the build failed in scripts/${name}.mjs`);
}

async function bundle() {
  await run('manifest');
  await run('program', ...(process.env.COVERAGE === '1' ? ['--linked'] : []));
  await run('man');
}

async function buildAll() {
  const stamp = join(root, buildStamp);
  rmSync(stamp, { force: true });
  const startedAt = new Date();
  await compile();
  await Promise.all([run('console'), bundle()]);
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

/** Compiles what changed, and builds the program when the last good build is older than what it is made of. */
export async function build() {
  await compile();
  if (!isBuilt()) await buildAll();
}

if (process.argv[1] === join(root, 'scripts', 'build.mjs'))
  await main(async () => {
    prepare({ tests: process.argv.includes('--tests') });
    await buildAll();
  });
