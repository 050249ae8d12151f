/**
 * Writes the generated pages of docs/reference/ from the build: columns, commands, configuration, events, exit codes, limits and environment.
 *
 *   node scripts/reference.mjs            writes the pages
 *   node scripts/reference.mjs --check    fails when a page is not what would be written
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsPage } from './reference/columns.mjs';
import { commandsPage } from './reference/commands.mjs';
import { environmentPage } from './reference/environment.mjs';
import { configurationPage, eventsPage } from './reference/shapes.mjs';
import { exitCodesPage, limitsPage } from './reference/tables.mjs';
import { main, root } from './machine.mjs';

const pages = {
  'columns.md': columnsPage,
  'commands.md': commandsPage,
  'configuration.md': configurationPage,
  'environment.md': environmentPage,
  'events.md': eventsPage,
  'exit-codes.md': exitCodesPage,
  'limits.md': limitsPage,
};

await main(async () => {
  const folder = join(root, 'docs', 'reference');
  const isCheck = process.argv.includes('--check');
  mkdirSync(folder, { recursive: true });
  const stale = [];
  for (const [name, make] of Object.entries(pages)) {
    const file = join(folder, name);
    const text = `<!-- Written by scripts/reference.mjs. -->\n${(await make()).trim()}\n`;
    if (isCheck && (!existsSync(file) || readFileSync(file, 'utf8') !== text)) stale.push(name);
    if (!isCheck) writeFileSync(file, text);
  }
  for (const name of stale) console.log(`docs/reference/${name} is not current: run node scripts/reference.mjs`);
  return stale.length === 0 ? 0 : 1;
});
