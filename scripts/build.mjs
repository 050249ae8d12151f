/**
 * npm run build: installs the packages that are missing, compiles the program to dist/, removes output without a source, writes the manifests,
 * bundles what runs, and writes the manual pages. With `--tests` it compiles the tests and the benches too, whose packages npm test installs.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, main, node, prepare, scopes, root, sourceFolders, Stop } from './machine.mjs';

/** Only files that tsc writes are ever deleted: dist/<folder>/**.js and .js.map whose .ts is gone. */
function removeStale() {
  for (const folder of sourceFolders) {
    const sources = new Set(filesUnder(folder));
    for (const file of filesUnder(`dist/${folder}`)) {
      const output = /^dist\/(.+)\.js(\.map)?$/.exec(file);
      if (output !== null && !sources.has(`${output[1]}.ts`)) rmSync(join(root, file));
    }
  }
}

await main(() => {
  const scope = process.argv.includes('--tests') ? scopes.everything : scopes.program;
  prepare(scope);
  for (const { stamp } of Object.values(scopes)) rmSync(stamp, { force: true });
  removeStale();
  const startedAt = new Date();
  if (node([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', scope.project]) !== 0)
    throw new Stop('tsc found errors');
  if (node([join(root, 'scripts', 'console.mjs')]) !== 0) throw new Stop('the console could not be built');
  const env = { ...process.env, NODE_ENV: 'production' };
  if (node([join(root, 'scripts', 'manifest.mjs')], { env }) !== 0) throw new Stop('oclif.manifest.json could not be written');
  const linked = process.env.COVERAGE === '1' ? ['--linked'] : [];
  if (node([join(root, 'scripts', 'program.mjs'), ...linked]) !== 0) throw new Stop('the program could not be bundled');
  if (node([join(root, 'scripts', 'man.mjs')]) !== 0) throw new Stop('the manual pages could not be written');
  writeFileSync(scope.stamp, '');
  utimesSync(scope.stamp, startedAt, startedAt);
});
