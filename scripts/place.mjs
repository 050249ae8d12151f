/**
 * node scripts/place.mjs DIRECTORY: puts the built program and the packages that it needs on a machine of this kind into a directory that does
 * not exist. The Dockerfile calls it.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { main, Stop } from './machine.mjs';
import { placeWithPackages } from './packed-program.mjs';

await main(() => {
  const [directory, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (directory === undefined || more.length > 0) throw new Stop('usage: node scripts/place.mjs DIRECTORY', 2);
  if (existsSync(directory)) throw new Stop(`${directory} exists already`, 2);
  placeWithPackages(directory, process);
});
