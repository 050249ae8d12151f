/**
 * The bill of materials of the portable folder (CycloneDX 1.5, https://cyclonedx.org/docs/1.5/json): what npm lists of the locked packages, without those
 * that only building and testing need, with Node and with what Node includes.
 */
import { execFileSync } from 'node:child_process';
import { root } from './machine.mjs';
import { lockedPackages, runningPackages } from './packed-program.mjs';

const sbom_ms_max = 300_000;
const sbom_bytes_max = 64 * 1024 * 1024;
/** Packages for building whose code is in the bundles of the pages. */
const inPages = ['node_modules/preact'];
/** Members of process.versions that name interfaces and data formats, not included software. */
const interfaces = new Set(['modules', 'napi', 'node', 'unicode']);

/** Packages whose licence npm does not list, because its name is no identifier of SPDX: the file LICENSE of duck has the two clauses of BSD. */
const unlisted = { duck: 'BSD-2-Clause' };

/** Returns name, version, licence and path of each package that the folder holds, in the order of their paths. */
export function heldPackages() {
  const locked = lockedPackages();
  const nameOf = (at) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [...runningPackages(), ...inPages].sort().map((at) => ({
    at,
    name: locked[at].name ?? nameOf(at),
    version: locked[at].version,
    license: locked[at].license ?? unlisted[nameOf(at)],
  }));
}

function npmBill() {
  const args = ['sbom', '--package-lock-only', '--workspaces=false', '--sbom-format=cyclonedx'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: sbom_bytes_max, timeout: sbom_ms_max };
  return JSON.parse(execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }));
}

/** Returns what a component includes, by name and version. */
const partsOf = (ref, versions) =>
  Object.keys(versions)
    .sort()
    .map((name) => ({ 'bom-ref': `${ref}/${name}@${versions[name]}`, type: 'library', name, version: versions[name] }));

/** Returns the component of Node. `path` and `licence` are places in the folder. */
function nodeComponent({ version, versions, sha256, path, licence }) {
  const ref = `node@${version}`;
  const included = Object.fromEntries(Object.entries(versions).filter(([name]) => !interfaces.has(name)));
  return {
    'bom-ref': ref,
    type: 'application',
    name: 'node',
    version,
    scope: 'required',
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ license: { id: 'MIT' } }],
    properties: [
      { name: 'agent-cli:path', value: path },
      { name: 'agent-cli:licence', value: licence },
    ],
    components: partsOf(ref, included),
  };
}

/**
 * Returns the document. `sqlite` is the version in the native code of better-sqlite3. The same folder has the same document: it has no serial
 * number, and its time is that of the sources, in seconds.
 */
export function billOfMaterials({ node, sqlite, time_s }) {
  const { serialNumber: _, ...bill } = npmBill();
  const packages = heldPackages();
  const held = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  // Where both of them are held, the newer one is used.
  const used = `better-sqlite3@${packages.findLast(({ name }) => name === 'better-sqlite3').version}`;
  const own = bill.metadata.component;
  const isHeld = (ref) => ref === own['bom-ref'] || held.has(ref);
  const components = bill.components
    .filter((one) => isHeld(one['bom-ref']))
    .map((one) => ({
      ...one,
      licenses: one.licenses ?? [{ license: { id: unlisted[one.name] } }],
      scope: 'required',
      properties: [],
    }))
    .map((one) =>
      // Not by its name, which npm takes from the alias.
      one['bom-ref'] === used ? { ...one, components: partsOf(used, { sqlite }) } : one,
    );
  const added = nodeComponent(node);
  const dependencies = bill.dependencies
    .filter(({ ref }) => isHeld(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isHeld) }));
  return {
    ...bill,
    metadata: {
      ...bill.metadata,
      timestamp: new Date(time_s * 1_000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { ...own, type: 'application', name: 'agent-cli' },
    },
    components: [...components, added],
    dependencies: [...dependencies, { ref: added['bom-ref'], dependsOn: [] }].map((one) =>
      one.ref === own['bom-ref'] ? { ...one, dependsOn: [...one.dependsOn, added['bom-ref']] } : one,
    ),
  };
}
