/**
 * node scripts/threads.mjs [--none]: bundles each module of src from which a thread is started, with the modules and packages that it imports, from
 * dist/src into dist/threads; packages with native code are left out. Module by module, a thread takes four times as long to start. `--none` removes
 * the bundles: threads are started from dist/src then, as coverage and `npm run dev` need it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesUnder, main, root } from './machine.mjs';

const output = join(root, 'dist', 'threads');
const pattern = /\bthreadScript\(new URL\('([^']+)', import\.meta\.url\)\)/g;
const slashed = (path) => path.replaceAll('\\', '/');

/** Returns the modules from which threads are started, by the names of their bundles, which `threadScript` gives them too. */
function entries() {
  const modules = filesUnder('dist/src').filter((path) => path.endsWith('.js'));
  const started = modules.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, name]) => join(root, dirname(path), name)),
  );
  const nameOf = (path) =>
    slashed(relative(join(root, 'dist', 'src'), path))
      .replaceAll('/', '-')
      .replace(/\.js$/, '');
  return Object.fromEntries(started.map((path) => [nameOf(path), path]));
}

/** A module that asks where it is gets the place that it has in dist/src. */
const ownPlaces = {
  name: 'own-places',
  transform: (code, id) =>
    code.replaceAll('import.meta.url', `new URL('${slashed(relative(output, id))}', import.meta.url).href`),
};

async function bundle() {
  // `--none` needs no package.
  const { rolldown } = await import('rolldown');
  const external = ['better-sqlite3', 'sodium-native'];
  const made = await rolldown({ input: entries(), platform: 'node', external, plugins: [ownPlaces] });
  await made.write({ dir: output, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await made.close();
}

await main(async () => {
  rmSync(output, { recursive: true, force: true });
  if (!process.argv.includes('--none')) await bundle();
});
