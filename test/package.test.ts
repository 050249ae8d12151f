/** The package that `npm pack` makes: small, without pictures, and with all that the commands read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { satisfies } from 'semver';
import { packageRoot } from './support/package-root.js';
import { lockedPackages, runningPackages } from './support/cli/packed.js';
import { assertNone } from './support/lists.js';

const root = packageRoot(import.meta.url);
const unpacked_bytes_max = 6_291_456;

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

  it('is at most 6 MiB unpacked', () => {
    const largest = all.files.toSorted((a, b) => b.size - a.size).slice(0, 5);
    assert.ok(all.unpackedSize <= unpacked_bytes_max, `${all.unpackedSize} bytes, the largest: ${JSON.stringify(largest)}`);
  });

  it('holds no picture and no source map', () => {
    const unwanted = all.files.map(({ path }) => path).filter((path) => /\.(?:png|jpe?g|webp|gif|map)$/.test(path));
    assert.deepEqual(unwanted, []);
  });

  it('holds modules in bundles only, and no test', () => {
    assertNone(all.files, ({ path }) => /^(?:dist\/(?:src|commands)|test|bench|src|commands)\/|\.test\./.test(path));
  });

  it('holds the commands, both pages and the documentation', () => {
    const paths = new Set(all.files.map(({ path }) => path));
    const needed = ['bin/agent-cli.js', 'dist/console/index.html', 'dist/dashboard/index.html', 'docs/missions.md'];
    assertNone([...needed, 'README.md', 'LICENSE'], (path) => !paths.has(path));
  });
});

/** Declares Node 22, and works on 20.19 too: the tests of src/intake read documents with it there. */
const works_on_older: readonly string[] = ['node_modules/unpdf'];
/** Its licence is `BSD`, which is no identifier of SPDX, so that npm lists none; the file LICENSE has the two clauses. */
const licensed_elsewhere: readonly string[] = ['duck'];

describe('the packages that running needs', () => {
  it('admit the oldest Node of every line that the program admits', () => {
    const locked = lockedPackages();
    // npm leaves an optional one out for a Node that it does not admit.
    const needed = runningPackages().filter((at) => !works_on_older.includes(at) && locked[at]?.optional !== true);
    const refusing = (version: string) => needed.filter((at) => !satisfies(version, locked[at]?.engines?.node ?? '*'));
    assert.deepEqual(['20.19.0', '22.0.0', '24.0.0'].flatMap(refusing), []);
  });
});

describe('package-lock.json', () => {
  it('has a checksum of every package', () => {
    const unchecked = Object.entries(lockedPackages()).filter(
      ([at, { integrity, link }]) => at.startsWith('node_modules/') && link !== true && integrity === undefined,
    );
    assert.deepEqual(unchecked, []);
  });
});

describe('the bill of materials', () => {
  it('lists each package that running needs, with a licence, and none of the tests', () => {
    const flags = ['--package-lock-only', '--workspaces=false', '--sbom-format=cyclonedx'];
    const printed = execFileSync('npm', ['sbom', ...flags], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16_777_216,
    });
    const { components } = JSON.parse(printed) as { readonly components: readonly Component[] };
    const listed = new Set(components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)));
    const nameOf = (at: string): string => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
    assert.deepEqual(
      runningPackages()
        .map(nameOf)
        .filter((name) => !listed.has(name)),
      [],
    );
    assertNone(components, ({ name, licenses = [] }) => licenses.length === 0 && !licensed_elsewhere.includes(name));
    assert.equal(listed.has('mocha'), false);
  });
});

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly licenses?: readonly unknown[];
}
