/**
 * A registry of npm on loopback. It has the locked packages which running needs, as they are installed here: their descriptions
 * (https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md) and their archives, not compressed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Env } from './cli-run.js';
import { listening } from '../listening.js';
import { packageRoot } from '../package-root.js';
import { runningPackages } from './packed.js';

const root = packageRoot(import.meta.url);
/** What nothing reads when the packages run: what native code is compiled from, types and source maps. */
const left_out = ['node_modules', './build', './deps', '*.ts', '*.map'];

export interface PackageRegistry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Returns the variables with which npm asks this registry, keeps its files in a directory, and runs no script of a package by itself: that of
 * better-sqlite3 would download its native code, or compile it.
 */
export const npmEnv = ({ url }: PackageRegistry, directory: string): Env => ({
  npm_config_registry: url,
  npm_config_cache: join(directory, 'npm-cache'),
  npm_config_userconfig: join(directory, 'npmrc'),
  npm_config_ignore_scripts: 'true',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
});

/**
 * Puts the native code of better-sqlite3 that is installed here into an archive in a directory, as its releases have it, and returns the variables
 * with which its install script takes that one in place of a download.
 */
export function prebuiltSqlite(directory: string): Env {
  const at = join(root, 'node_modules', 'better-sqlite3');
  const { version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Described;
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;
  execFileSync('tar', ['-czf', join(directory, name), '-C', at, 'build/Release/better_sqlite3.node']);
  return { npm_config_better_sqlite3_local_prebuilds: directory };
}

interface Described {
  readonly name: string;
  readonly version: string;
}

/** Returns the packages by name: the versions of each, and where they are. */
function installed(): ReadonlyMap<string, ReadonlyMap<string, { readonly at: string; readonly described: Described }>> {
  const found = new Map<string, Map<string, { at: string; described: Described }>>();
  for (const at of runningPackages().map((path) => join(root, path))) {
    const described = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Described;
    const versions = found.get(described.name) ?? new Map<string, { at: string; described: Described }>();
    found.set(described.name, versions.set(described.version, { at, described }));
  }
  return found;
}

function sendArchive(at: string, response: ServerResponse): void {
  const prebuilt = existsSync(join(at, 'prebuilds')) ? readdirSync(join(at, 'prebuilds')) : [];
  const foreign = prebuilt.filter((at) => !at.startsWith(`${process.platform}-${process.arch}`)).map((at) => `./prebuilds/${at}`);
  const excluded = [...left_out, ...foreign].map((pattern) => `--exclude=${pattern}`);
  const args = ['-cf', '-', '--transform=s,^[.]/,package/,', ...excluded, '-C', at, '.'];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.on('close', (code) => (code === 0 ? response.end() : response.destroy(new Error(`tar ended with ${String(code)}`))));
  tar.stdout.pipe(response, { end: false });
}

export async function packageRegistry(): Promise<PackageRegistry> {
  const packages = installed();
  let url = '';
  const server = createServer((request, response) => {
    const [, name = '', version] =
      /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const versions = packages.get(name);
    if (versions === undefined || (version !== undefined && !versions.has(version))) {
      response.writeHead(404).end('{}');
      return;
    }
    const one = version === undefined ? undefined : versions.get(version);
    if (one !== undefined) return sendArchive(one.at, response);
    const entries = [...versions].map(([v, { described }]) => [
      v,
      { ...described, dist: { tarball: `${url}${name}/-/${v}.tgz` } },
    ]);
    const [latest] = [...versions.keys()].toSorted().toReversed();
    const document = { name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) as object };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const { port, close } = await listening(server);
  url = `http://127.0.0.1:${port}/`;
  return { url, close };
}
