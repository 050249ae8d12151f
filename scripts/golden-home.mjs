/**
 * scripts/golden-home [DIRECTORY]: makes the golden homes of the version that package.json names, in a new directory
 * DIRECTORY/VERSION (default: test/vectors/golden-homes). See the README there.
 */
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './compile.mjs';
import { main, prepare, root } from './machine.mjs';

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const output = resolve(positionals[0] ?? join(root, 'test', 'vectors', 'golden-homes'));
  prepare();
  await build();
  const { makeGoldenHomes } = await import('../dist/test/golden/make.js');
  const made = await makeGoldenHomes(output, (line) => console.log(line));
  console.log(`made ${relative(process.cwd(), made)}`);
});
