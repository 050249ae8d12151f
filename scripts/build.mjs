/**
 * npm run build: installs the packages that are missing, compiles what changed to dist/, bundles the pages and the program, and writes the manifests
 * and the manual pages. Types are the subject of `npm run check`. With `--tests` it installs the packages of the tests and benches too.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp, compile } from './compile.mjs';
import { main, nodeLater, prepare, root, Stop } from './machine.mjs';

async function run(name, ...args) {
  const env = { ...process.env, NODE_ENV: 'production' };
  if ((await nodeLater([join(root, 'scripts', `${name}.mjs`), ...args], { env })) !== 0)
    throw new Stop(`the build failed in scripts/${name}.mjs`);
}

async function buildProgram() {
  await run('manifest');
  await run('program', ...(process.env.COVERAGE === '1' ? ['--linked'] : []));
  await run('man');
}

await main(async () => {
  prepare({ tests: process.argv.includes('--tests') });
  const stamp = join(root, buildStamp);
  rmSync(stamp, { force: true });
  const startedAt = new Date();
  await compile();
  await Promise.all([run('console'), buildProgram()]);
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
});
