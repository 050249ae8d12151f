/**
 * node scripts/program.mjs [--linked] [--output PATH] [DIRECTORY]: writes dist/program, which is what runs: each entry point of dist/src and dist/commands, bundled with the
 * modules that it needs. Module by module, a command takes half as long again to start, and a thread three times as long. With `--linked` each entry point
 * only imports its module, for coverage, single test files and edited copies of the program. DIRECTORY holds another built program than this one; PATH is
 * written in place of its dist/program.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { filesUnder, main, root } from './machine.mjs';

// The commands of tests share a process, which calls main.js.
const named = ['src/cli/start.js', 'src/cli/main.js', 'src/cli/help.js', 'src/cli/agent-topic.js', 'src/http/simulation-main.js'];
const threadPattern = /\bthreadScript\(new URL\("([^"]+)", import\.meta\.url\)\)/g;
const many_commands = 20;
const slashed = (path) => path.replaceAll('\\', '/');

/** Packages that load files of their own, or that a host of plugins has as well, stay where they are; native code always does. */
const bundled =
  /^(?:@oclif\/core|debug|get-package-type|has-flag|ms|supports-color|fp-ts|io-ts|ethers|@noble\/.*|@adraffy\/.*)(?:\/|$)/;
/** Bundled for commands only: every command needs what these packages load, SQLite, libsodium and the name of the system, which is some thirty small files. */
const inCommands =
  /^(?:better-sqlite3|sodium-native|which-runtime|wsl-utils|is-wsl|is-docker|is-inside-container|powershell-utils)$/;

const isExternal = (id) => /^[\w@]/.test(id) && !bundled.test(id);
const isPackage = (id) => isExternal(id) && !isBuiltin(id);

/** Returns the entry points below dist: those of commands, and the modules from which threads are started. */
function entries(dist) {
  const below = (folder) => filesUnder(slashed(relative(root, join(dist, folder)))).filter((path) => path.endsWith('.js'));
  const inDist = (path) => slashed(relative(dist, resolve(root, path)));
  const started = below('src').flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(threadPattern)].map(([, name]) => join(dirname(path), name)),
  );
  return { commands: [...named, ...below('commands').map(inDist)], threads: [...new Set(started.map(inDist))] };
}

/** A module that asks where it is gets the place that it has in dist, wherever its text ends up. */
const ownPlaces = (dist) => ({
  name: 'own-places',
  transform: (code, id) =>
    id.startsWith(dist)
      ? code.replaceAll('import.meta.url', `new URL('own-place:${slashed(relative(dist, id))}', import.meta.url).href`)
      : null,
  renderChunk: (code, { fileName }) => code.replaceAll('own-place:', '../'.repeat(fileName.split('/').length)),
});

const required = /^(?:const|var) (\w+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm;
const exported = /^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm;
const ofCore = 'require("node:module").createRequire(require.resolve("@oclif/core/package.json"))';

/**
 * The modules of oclif's core load all others when they are loaded. Here each is loaded when something of it is used, which for most commands is never,
 * and the packages that core needs then are those that npm installed for it. Its check of Node's version is that of bin/agent-cli.js.
 */
const lazyCore = {
  name: 'lazy-core',
  transform(code, id) {
    if (!/[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(id)) return null;
    const names = [...code.matchAll(required)].map(([, name]) => name);
    const lazy = new Set(names.filter((name) => !new RegExp(`\\b${name}\\b(?! = )(?!\\.)`).test(code)));
    const found = (value) =>
      value.replace(/\brequire\((?="([^".][^"]*)")/, (call, name) => (isPackage(name) ? `${ofCore}(` : call));
    const later = code
      .replace(/^checkNodeVersion\(\);$/m, '')
      .replace(required, (line, name, value) =>
        lazy.has(name) ? `let $${name}; const ${name} = () => ($${name} ??= ${found(value)});` : line,
      )
      .replace(exported, 'Object.defineProperty(exports, "$1", { enumerable: true, configurable: true, get: () => $2 });');
    return [...lazy].reduce((text, name) => text.replace(new RegExp(`\\b${name}\\b(?=\\.)`, 'g'), `(${name}())`), later);
  },
};

const sodiumCode = '`sodium-native/prebuilds/${process.platform}-${process.arch}/sodium-native.node`';
/**
 * The two packages search several places for their native code. A bundle loads it from where npm puts it; where libsodium's is not there, sodium-native itself
 * searches, and reports what it did not find.
 */
const nativeCode = {
  name: 'native-code',
  transform(code, id) {
    if (id.endsWith('/src/journal/sodium.js')) return code.replace('load("sodium-native")', 'require("sodium-native")');
    if (id.endsWith('/src/store/sqlite.js')) return code.replace('load("better-sqlite3")', 'require("better-sqlite3")');
    if (id.endsWith('/sodium-native/binding.js'))
      return `try { module.exports = require(${sodiumCode}); } catch { module.exports = require('sodium-native/binding.js'); }`;
    if (id.endsWith('/better-sqlite3/lib/database.js'))
      return code.replace(
        "require('bindings')('better_sqlite3.node')",
        "require('better-sqlite3/build/Release/better_sqlite3.node')",
      );
    return null;
  },
};

/**
 * @param groups of modules that are put into one file each; by default those are together that the same entry points share
 * @param isAdded whether a package is bundled too
 */
async function bundle(dist, output, paths, { groups, isAdded = () => false } = {}) {
  // Linking needs no package.
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(paths.map((path) => [path.replace(/\.js$/, ''), join(dist, path)]));
  const made = await rolldown({
    input,
    platform: 'node',
    external: (id) => isExternal(id) && !isAdded(id),
    plugins: [ownPlaces(dist), lazyCore, ...(isAdded('sodium-native') ? [nativeCode] : [])],
    // Modules that start fast import late what others import at once, and a slow machine is no fault.
    checks: { ineffectiveDynamicImport: false, pluginTimings: false },
    // The names of the modules would be a hundredth of the text.
    experimental: { attachDebugInfo: 'none' },
  });
  await made.write({
    dir: output,
    format: 'esm',
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: groups === undefined ? true : { groups },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
}

function link(dist, output, paths) {
  for (const path of paths) {
    const target = slashed(relative(dirname(join(output, path)), join(dist, path)));
    const hasDefault = /^export default /m.test(readFileSync(join(dist, path), 'utf8'));
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(
      join(output, path),
      `export * from '${target}';\n${hasDefault ? `export { default } from '${target}';\n` : ''}`,
    );
  }
}

await main(async () => {
  const options = { linked: { type: 'boolean' }, output: { type: 'string' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const dist = resolve(positionals[0] ?? root, 'dist');
  const output = resolve(values.output ?? join(dist, 'program'));
  rmSync(output, { recursive: true, force: true });
  const { commands, threads } = entries(dist);
  if (values.linked) link(dist, output, [...commands, ...threads]);
  else {
    await bundle(dist, output, threads);
    // What many commands load is one file, and so is what the opening of a home loads: to find and link a file takes as long as to compile a large module.
    await bundle(dist, output, commands, {
      groups: [
        { name: 'shared', minShareCount: many_commands },
        { name: 'home', test: /\/dist\/src\/app\/(?:home\/(?:open|read-only|upgrade|via|world)|reference\/home)\.js$/ },
      ],
      isAdded: (id) => inCommands.test(id),
    });
  }
  const manifest = join(dist, 'oclif.manifest.json');
  if (existsSync(manifest)) copyFileSync(manifest, join(output, 'oclif.manifest.json'));
});
