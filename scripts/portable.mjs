/**
 * scripts/portable [--node FILE] [--node-licence FILE] [--output DIRECTORY]: packs the program, the packages that it runs with and a Node of its own into
 * agent-cli-VERSION-linux-ARCH.tar.gz, for machines without Node, and writes the archive's SHA-256 beside it (default: dist/portable). Node is
 * the one that runs this script unless another is named; its licence is looked for where Node's archives and packages have it. The same
 * sources, packages and Node give the same bytes: the files are in a fixed order and have the time of the commit, or that of SOURCE_DATE_EPOCH.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { refusedNode } from '../bin/node-version.js';
import { billOfMaterials, heldPackages } from './bill-of-materials.mjs';
import { foreignLibraries, neededVersions, newestOf } from './elf.mjs';
import { build } from './build.mjs';
import { filesUnder, main, prepare, requireSqlite, root, Stop } from './machine.mjs';
import { notices } from './notices.mjs';
import { placeWithPackages } from './packed-program.mjs';
import { packDirectory } from './tar.mjs';

const command_ms_max = 300_000;
const licenceNames = (node) => [
  join(dirname(dirname(node)), 'LICENSE'),
  join(dirname(node), 'LICENSE'),
  '/usr/share/doc/nodejs/LICENSE',
  '/usr/share/doc/nodejs/copyright',
];
const node_path = 'lib/node';
const licence_path = 'lib/node.LICENSE';
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8', timeout: command_ms_max });
  if (status === 0) return stdout.trim();
  throw new Stop(`${command} ${args[0]}: ${error?.message ?? stderr.trim()}`);
}

/** Returns the file, licence, version, platform and SHA-256 of the Node that is packed. */
function nodeOf({ node = process.execPath, 'node-licence': named }) {
  const file = fs.realpathSync(node);
  const facts = JSON.parse(
    output(file, ['-p', 'JSON.stringify({ platform: process.platform, arch: process.arch, versions: process.versions })']),
  );
  const refused = refusedNode(`v${facts.versions.node}`);
  if (refused !== null) throw new Stop(refused);
  if (facts.platform !== 'linux') throw new Stop(`the folder is made for Linux; ${file} is a Node for ${facts.platform}`, 7);
  const licence = (named === undefined ? licenceNames(file) : [named]).find((path) => fs.existsSync(path));
  if (licence === undefined) throw new Stop(`the licence of ${file} is not beside it: name it with --node-licence`);
  return { ...facts, file, licence, version: facts.versions.node, sha256: sha256(fs.readFileSync(file)) };
}

/** Returns the time that every file gets, in seconds. */
function sourceTime() {
  const time = process.env.SOURCE_DATE_EPOCH || output('git', ['log', '-1', '--format=%ct']);
  if (!/^\d+$/.test(time)) throw new Stop(`SOURCE_DATE_EPOCH is not a number of seconds: ${time}`, 2);
  return Number(time);
}

/** Fills the folder with everything but the texts that describe it. */
function fill(folder, node) {
  placeWithPackages(join(folder, 'lib', 'agent-cli'), node);
  fs.copyFileSync(node.file, join(folder, node_path));
  fs.copyFileSync(node.licence, join(folder, licence_path));
  fs.mkdirSync(join(folder, 'bin'));
  fs.copyFileSync(join(root, 'scripts', 'portable-files', 'agent-cli'), join(folder, 'bin', 'agent-cli'));
  for (const path of [node_path, 'bin/agent-cli']) fs.chmodSync(join(folder, path), 0o755);
  fs.copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Returns the newest versions of glibc and libstdc++ that Node and the native code of packages need. @throws Stop when they need more */
function librariesOf(folder) {
  const native = filesUnder(relative(root, folder)).filter((path) => path.endsWith('.node') || path.endsWith(`/${node_path}`));
  const files = native.map((path) => fs.readFileSync(join(root, path)));
  const foreign = files.flatMap(foreignLibraries);
  if (foreign.length > 0)
    throw new Stop(
      `the folder would need ${[...new Set(foreign)].join(', ')}, which it does not hold\n  → name a Node from nodejs.org with --node`,
      7,
    );
  const names = files.flatMap(neededVersions);
  return { glibc: newestOf('GLIBC', names), glibcxx: newestOf('GLIBCXX', names) };
}

function describe(folder, node, facts, time_s) {
  const held = { ...node, path: node_path, licence: licence_path };
  fs.writeFileSync(
    join(folder, 'bom.cdx.json'),
    `${JSON.stringify(billOfMaterials({ node: held, sqlite: facts.sqlite, time_s }), null, 2)}\n`,
  );
  fs.writeFileSync(join(folder, 'NOTICE'), notices(heldPackages()));
  const text = fs.readFileSync(join(root, 'scripts', 'portable-files', 'README.md'), 'utf8');
  fs.writeFileSync(
    join(folder, 'README.md'),
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => facts[name]),
  );
}

/**
 * Loads the native code of the packages at `directory`, so that code for another Node or machine is refused here and not where it is used.
 * Returns the version of SQLite in it.
 */
function check(directory, file, { version }) {
  const script = `require('sodium-native');
const db = new (${requireSqlite})(':memory:');
console.log(db.prepare('SELECT sqlite_version()').pluck().get());`;
  const { status, stdout, stderr } = spawnSync(file, ['-e', script], {
    cwd: directory,
    encoding: 'utf8',
    timeout: command_ms_max,
  });
  if (status === 0) return stdout.trim();
  const why = /^\w*Error: .*$/m.exec(stderr)?.[0] ?? stderr.trim();
  throw new Stop(`the packages in node_modules do not run with Node ${version}: ${why}\n  → run npm ci with that Node`);
}

await main(async () => {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { node: text, 'node-licence': text, output: text } });
  const node = nodeOf(values);
  const time_s = sourceTime();
  prepare({ tests: false });
  await build();
  check(root, node.file, node);
  process.umask(0o022);
  const target = resolve(process.env.INIT_CWD ?? process.cwd(), values.output ?? join(root, 'dist', 'portable'));
  fs.mkdirSync(target, { recursive: true });
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `agent-cli-${version}-linux-${node.arch}`;
  const scratch = fs.mkdtempSync(join(target, '.packing-'));
  try {
    const folder = join(scratch, name);
    fill(folder, node);
    const sqlite = check(join(folder, 'lib', 'agent-cli'), join(folder, node_path), node);
    const platform = `linux-${node.arch}`;
    const facts = { version, platform, arch: node.arch, node: node.version, node_sha256: node.sha256, folder: name, sqlite };
    const libraries = librariesOf(folder);
    describe(folder, node, { ...facts, ...libraries }, time_s);
    const archive = join(scratch, `${name}.tar.gz`);
    packDirectory(scratch, archive, { mtime_s: time_s, members: [name], mode: 'u=rwX,go=rX' });
    const hash = sha256(fs.readFileSync(archive));
    fs.writeFileSync(join(scratch, 'hash'), `${hash}  ${name}.tar.gz\n`);
    fs.renameSync(archive, join(target, `${name}.tar.gz`));
    fs.renameSync(join(scratch, 'hash'), join(target, `${name}.tar.gz.sha256`));
    console.log(
      `${join(target, `${name}.tar.gz`)}\nsha256  ${hash}\nneeds   glibc ${libraries.glibc}, GLIBCXX_${libraries.glibcxx}`,
    );
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
});
