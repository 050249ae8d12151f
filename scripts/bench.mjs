/**
 * npm run bench [-- NAME...]: builds, then runs the benches of dist/bench, each in a process of its own. A bench is a module that
 * exports `name` and `run(print)`.
 */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { filesUnder, main, node, prepare, root, Stop } from './machine.mjs';

async function runOne(file) {
  const bench = await import(pathToFileURL(join(root, file)).href);
  console.log(`== ${bench.name}`);
  await bench.run((line) => console.log(line));
}

async function listBenches() {
  const found = [];
  for (const file of filesUnder('dist/bench').filter((path) => path.endsWith('.js'))) {
    const bench = await import(pathToFileURL(join(root, file)).href);
    if (typeof bench.name === 'string' && typeof bench.run === 'function') found.push({ name: bench.name, file });
  }
  return found;
}

await main(async () => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--one') return runOne(rest[0]);
  const wanted = process.argv.slice(2);
  prepare();
  await build();
  const benches = await listBenches();
  const names = new Set(benches.flatMap(({ name, file }) => [name, basename(file, '.js')]));
  const unknown = wanted.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Stop(`no such bench: ${unknown.join(', ')} (there are: ${benches.map((b) => b.name).join(', ')})`, 2);
  const chosen = benches.filter(
    ({ name, file }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(basename(file, '.js')),
  );
  if (chosen.length === 0) throw new Stop('there are no benches');
  const script = join(root, 'scripts', 'bench.mjs');
  const failed = chosen.filter(({ file }) => node(['--enable-source-maps', '--expose-gc', script, '--one', file]) !== 0);
  return failed.length === 0 ? 0 : 1;
});
