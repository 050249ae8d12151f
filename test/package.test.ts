/** The package that `npm pack` makes: small, without pictures, and with all that the commands read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { packageRoot } from './support/package-root.js';

const root = packageRoot(import.meta.url);
const unpacked_bytes_max = 4_194_304;

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Returns what npm would pack. npm 12 prints an object by package name, older versions an array. */
function packed(): Packed {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16_777_216,
  });
  const [first] = Object.values(JSON.parse(printed) as Record<string, Packed>);
  if (first === undefined) throw new Error(`npm pack named no package: ${printed}`);
  return first;
}

describe('the package', () => {
  let all: Packed;
  before(() => {
    all = packed();
  });

  it('is at most 4 MiB unpacked', () => {
    const largest = all.files.toSorted((a, b) => b.size - a.size).slice(0, 5);
    assert.ok(all.unpackedSize <= unpacked_bytes_max, `${all.unpackedSize} bytes, the largest: ${JSON.stringify(largest)}`);
  });

  it('holds no picture and no source map', () => {
    const unwanted = all.files.map(({ path }) => path).filter((path) => /\.(?:png|jpe?g|webp|gif|map)$/.test(path));
    assert.deepEqual(unwanted, []);
  });

  it('holds the modules of the pages in their bundles only', () => {
    assert.deepEqual(
      all.files.filter(({ path }) => path.startsWith('dist/src/console/')),
      [],
    );
  });

  it('holds the commands, both pages and the documentation', () => {
    const paths = new Set(all.files.map(({ path }) => path));
    const needed = ['bin/agent-cli.js', 'dist/console/index.html', 'dist/dashboard/index.html', 'docs/missions.md', 'README.md'];
    assert.deepEqual(
      needed.filter((path) => !paths.has(path)),
      [],
    );
  });
});
