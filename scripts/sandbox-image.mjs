/**
 * scripts/sandbox-image: builds the image in which code missions run, from this machine's Node and Python and the libraries that they
 * load, without a registry. Takes no arguments and prints one line, AGENT_SANDBOX_IMAGE=sha256:<image id>. The same programs give the same
 * id: the files are in a fixed order, have no times and belong to root, and the id is the SHA-256 of the image's configuration.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { main, Stop } from './machine.mjs';
import { copyBelow, librariesOf } from './root-files.mjs';
import { packDirectory } from './tar.mjs';

const engine_names = ['podman', 'docker'];
const command_ms_max = 300_000;
const output_bytes_max = 64 * 1024 * 1024;
/** Directories of Python's library that no candidate needs. */
const left_out =
  /^(?:__pycache__|config-.*|dist-packages|ensurepip|idlelib|lib2to3|pydoc_data|site-packages|test|tests|tkinter|turtledemo|venv)$/;

function run(command, args, options = {}) {
  const ended = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: command_ms_max,
    maxBuffer: output_bytes_max,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (ended.status === 0) return ended.stdout;
  const why = ended.error?.message ?? (ended.stderr.trim() || `exit ${ended.status}`);
  throw new Stop(`${command} ${args[0]}: ${why}`);
}

const works = (command) => spawnSync(command, ['version'], { stdio: 'ignore', timeout: command_ms_max }).status === 0;

/** Returns the engine that loads the image: the one that AGENT_CONTAINER_ENGINE names, else podman or docker. */
function engine() {
  const named = process.env.AGENT_CONTAINER_ENGINE || undefined;
  const found = (named === undefined ? engine_names : [named]).find(works);
  if (found !== undefined) return found;
  const missing = named === undefined ? 'neither podman nor docker works here' : `${named} does not work here`;
  throw new Stop(`${missing}; on Debian: apt-get install podman runc`, 7);
}

/** Returns Python's program and library, of the system's Python when there is one. */
function python() {
  const command = fs.existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const script = 'import os, sys, sysconfig; print(os.path.realpath(sys.executable)); print(sysconfig.get_path("stdlib"))';
  const [program, library] = run(command, ['-I', '-S', '-c', script]).trim().split('\n');
  return { program, library };
}

/** Returns the regular files below a directory, links resolved. */
function filesBelow(directory) {
  return fs.readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return left_out.test(name) ? [] : filesBelow(path);
    return stat?.isFile() ? [path] : [];
  });
}

/** Fills the root directory of the image. */
function fill(root) {
  // Mount points; a read-only root cannot get them later.
  for (const name of ['dev', 'etc', 'proc', 'run', 'sys', 'tmp']) fs.mkdirSync(join(root, name), { recursive: true });
  fs.chmodSync(join(root, 'tmp'), 0o1777);
  const { program, library } = python();
  const node = fs.realpathSync(process.execPath);
  copyBelow(root, node, '/usr/bin/node');
  copyBelow(root, program);
  if (program !== '/usr/bin/python3') fs.symlinkSync(program, join(root, 'usr', 'bin', 'python3'));
  const modules = filesBelow(library);
  for (const file of modules) copyBelow(root, file);
  const native = [node, program, ...modules.filter((file) => file.endsWith('.so'))];
  for (const file of new Set(native.flatMap(librariesOf))) copyBelow(root, file);
  // Compiled here because the root is read-only; the compiled files carry no times.
  const compile = ['-I', '-S', '-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', '-s', root, '-p', '/'];
  run(program, [...compile, join(root, library)], { env: { ...process.env, PYTHONHASHSEED: '0' } });
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

const architectures = { x64: 'amd64', arm64: 'arm64' };

/** Writes the archive that both engines load (docker image specification 1.2) and returns the image's id. */
function archive(root, scratch) {
  const image = join(scratch, 'image');
  fs.mkdirSync(image);
  packDirectory(root, join(image, 'layer.tar'));
  const config = JSON.stringify({
    architecture: architectures[process.arch] ?? process.arch,
    config: { Env: ['PATH=/usr/bin:/bin'], User: '10001:10001', WorkingDir: '/' },
    created: '1970-01-01T00:00:00Z',
    history: [{ created: '1970-01-01T00:00:00Z', created_by: 'scripts/sandbox-image' }],
    os: 'linux',
    rootfs: { diff_ids: [`sha256:${sha256(fs.readFileSync(join(image, 'layer.tar')))}`], type: 'layers' },
  });
  const id = sha256(config);
  fs.writeFileSync(join(image, `${id}.json`), config);
  const manifest = [{ Config: `${id}.json`, RepoTags: ['localhost/agent-cli-sandbox:latest'], Layers: ['layer.tar'] }];
  fs.writeFileSync(join(image, 'manifest.json'), JSON.stringify(manifest));
  packDirectory(image, join(scratch, 'image.tar'));
  return id;
}

await main(() => {
  if (process.argv.length > 2) throw new Stop('scripts/sandbox-image takes no arguments', 2);
  if (process.platform !== 'linux') throw new Stop('the image is built on Linux, from its programs', 7);
  const loader = engine();
  process.umask(0o022);
  const scratch = fs.mkdtempSync(join(tmpdir(), 'agent-cli-image-'));
  try {
    const root = join(scratch, 'root');
    fill(root);
    const id = archive(root, scratch);
    run(loader, ['load', '--quiet', '--input', join(scratch, 'image.tar')]);
    const held = run(loader, ['image', 'inspect', '--format', '{{.Id}}', id]).trim();
    if (basename(held.replace(':', '/')) !== id) throw new Stop(`${loader} holds the image under another id: ${held}`);
    console.log(`AGENT_SANDBOX_IMAGE=sha256:${id}`);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
});
