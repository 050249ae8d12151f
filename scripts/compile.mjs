/**
 * Compiles the TypeScript of the program, its tests and its benches to dist/, file by file and without regard to types, which are the
 * subject of `npm run check`. Only what changed is compiled.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { filesUnder, root, sourceFolders, Stop } from './machine.mjs';

/** Its time is the start of the last build that was completed. */
export const buildStamp = 'dist/.built';
const buildScripts = ['build', 'compile', 'console', 'man', 'manifest', 'program'].map((name) => `scripts/${name}.mjs`);

const options = { target: 'es2023', sourcemap: true, tsconfig: false, typescript: { onlyRemoveTypeImports: true } };
const isSource = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts');
const outputOf = (path) => `dist/${path.replace(/\.ts$/, '.js')}`;
const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Removes the output of deleted sources: of dist, only what this script writes. */
function removeStale(outputs) {
  const known = new Set(outputs);
  for (const file of sourceFolders.flatMap((folder) => filesUnder(`dist/${folder}`)))
    if (/\.js(\.map)?$/.test(file) && !known.has(file.replace(/\.map$/, ''))) rmSync(join(root, file));
}

function write(path, { code, map }) {
  const file = join(root, outputOf(path));
  mkdirSync(dirname(file), { recursive: true });
  const { version, names, mappings } = map;
  const sources = [relative(dirname(file), join(root, path)).replaceAll('\\', '/')];
  writeFileSync(`${file}.map`, JSON.stringify({ version, sources, names, mappings }));
  writeFileSync(file, `${code}//# sourceMappingURL=${basename(file)}.map\n`);
}

/** Brings dist up to date with the sources. @throws Stop when a file cannot be parsed */
export async function compile() {
  const sources = sourceFolders.flatMap((folder) => filesUnder(folder)).filter(isSource);
  removeStale(sources.map(outputOf));
  const since = Math.max(changedAt('scripts/compile.mjs'), changedAt('package-lock.json'));
  const changed = sources.filter((path) => changedAt(outputOf(path)) <= Math.max(since, changedAt(path)));
  if (changed.length === 0) return;
  const { transformSync } = await import('rolldown/utils');
  for (const path of changed) {
    const file = join(root, path);
    const { errors, ...compiled } = transformSync(file, readFileSync(file, 'utf8'), options);
    const messages = errors.map(({ message }) => (process.stderr.isTTY ? message : stripVTControlCharacters(message)));
    if (errors.length > 0) throw new Stop(`${path} cannot be compiled\n${messages.join('\n')}`);
    write(path, compiled);
  }
}

/** Returns whether the program was built since its sources changed. */
export function isBuilt() {
  const at = changedAt(buildStamp);
  const inputs = ['package.json', 'package-lock.json', ...buildScripts, ...filesUnder('src'), ...filesUnder('commands')];
  return inputs.every((path) => changedAt(path) <= at);
}
