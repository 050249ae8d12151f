/**
 * The pages for browsers: bundles the operator's console into dist/console and the simulation's dashboard
 * into dist/dashboard. `--force` builds even when nothing changed.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageMap, pageMaps } from './coverage.mjs';
import { filesUnder, main, root } from './machine.mjs';

const pages = [
  { source: join(root, 'src', 'console', 'operator'), output: join(root, 'dist', 'console') },
  { source: join(root, 'src', 'console', 'dashboard'), output: join(root, 'dist', 'dashboard') },
];
const covers = process.env.COVERAGE === '1';
const stamp = join(root, 'dist', '.console-built');

/** Returns whether the bundles are newer than their sources, the modules they import, and the locked packages. */
function isCurrent() {
  if (!existsSync(stamp) || pages.some(({ output }) => !existsSync(join(output, 'index.html')))) return false;
  const at = statSync(stamp).mtimeMs;
  const inputs = ['src/console', 'src/kinds', 'src/reports', 'src/codec', 'src/base'].flatMap((folder) => filesUnder(folder));
  return [...inputs, 'scripts/console.mjs', 'package-lock.json'].every((path) => statSync(join(root, path)).mtimeMs <= at);
}

/** Bundles without inline code or data addresses: the pages run under a policy that allows their own files only. */
async function bundle({ source, output }) {
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
      sourcemap: covers ? 'hidden' : false,
      reportCompressedSize: false,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  });
}

/** Moves the source maps out of the pages, which stay what they are without coverage. */
function moveMaps(folder) {
  mkdirSync(pageMaps, { recursive: true });
  for (const file of filesUnder(folder).filter((name) => name.endsWith('.map'))) renameSync(join(root, file), pageMap(file));
}

await main(async () => {
  if (!process.argv.includes('--force') && isCurrent() && (!covers || existsSync(pageMaps))) return;
  rmSync(stamp, { force: true });
  const startedAt = new Date();
  await Promise.all(pages.map(bundle));
  if (covers) ['dist/console', 'dist/dashboard'].forEach(moveMaps);
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
});
