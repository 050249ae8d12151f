/** The operator's console: type-checks src/console and bundles it into dist/console. `--force` builds even when nothing changed. */
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, main, node, root, Stop } from './machine.mjs';

const source = join(root, 'src', 'console');
const output = join(root, 'dist', 'console');
const stamp = join(root, 'dist', '.console-built');

/** What the bundle is made of: its own sources, the rooms it imports, and the locked packages. */
function isCurrent() {
  if (!existsSync(stamp) || !existsSync(join(output, 'index.html'))) return false;
  const at = statSync(stamp).mtimeMs;
  const inputs = ['src/console', 'src/base', 'src/codec'].flatMap((folder) => filesUnder(folder));
  return [...inputs, 'scripts/console.mjs', 'package-lock.json'].every((path) => statSync(join(root, path)).mtimeMs <= at);
}

/** Nothing inline and nothing as a data address: the console runs under a policy that allows its own files only. */
async function bundle() {
  const { build } = await import('vite');
  await build({
    root: source,
    base: '/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: output,
      emptyOutDir: true,
      assetsDir: 'assets',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      sourcemap: false,
      reportCompressedSize: false,
    },
  });
}

await main(async () => {
  if (!process.argv.includes('--force') && isCurrent()) return;
  rmSync(stamp, { force: true });
  const startedAt = new Date();
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (node([tsc, '-p', join('src', 'console')]) !== 0) throw new Stop('tsc found errors in src/console');
  await bundle();
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
});
