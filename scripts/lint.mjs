/**
 * npm run lint: style and types (oxlint), format (Biome), layers and folder cycles (layers.mjs), unused exports
 * and packages (knip), and the page that verifies exports. Prints a line for each check; exits 1 when one fails.
 */
import { join } from 'node:path';
import { check, sources } from './layers.mjs';
import { acyclic } from './layer-rules.mjs';
import { main, node, root } from './machine.mjs';

const modules = join(root, 'node_modules');

function checkLayers() {
  const { violations, cycles, table } = check(sources());
  for (const [name, imported] of table) console.log(`  ${name.padEnd(16)} -> ${imported.join(' ') || '-'}`);
  for (const line of [...violations, ...cycles.map((cycle) => `folder cycle: ${cycle}`)]) console.log(line);
  console.log(`${violations.length} imports or calls against the layers`);
  console.log(`${cycles.length} folder cycles in ${acyclic.join(', ')}`);
  return violations.length + cycles.length === 0;
}

function checkUnused() {
  const isClean =
    node([join(modules, 'knip', 'bin', 'knip.js'), '--no-progress', '--config', join('scripts', 'knip.config.js')]) === 0;
  console.log(isClean ? '0 unused exports, files and packages' : 'unused code: see the list above');
  return isClean;
}

const checks = [
  ['oxlint', () => node([join(modules, 'oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']) === 0],
  ['biome format', () => node([join(modules, '@biomejs', 'biome', 'bin', 'biome'), 'format', '--max-diagnostics=50']) === 0],
  ['layers', checkLayers],
  ['knip', checkUnused],
  // It holds how reports are made, so that a change of them is a change of the page.
  ['docs/verify-export.html', () => node([join('scripts', 'verify-page.mjs'), '--check']) === 0],
];

await main(() => {
  const failed = checks.filter(([name, run]) => {
    console.log(`-- ${name}`);
    return !run();
  });
  console.log(failed.length === 0 ? 'lint: ok' : `lint: failed: ${failed.map(([name]) => name).join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});
