/**
 * The one rule set for which module may import which (docs/architecture.md). A module is a folder or a file; the first pattern
 * that fits a path names its module. `may` lists the modules that it may import besides itself, each of which an import must
 * need; `layers` lists those that it may import but need not. A name such as `app/*` represents every module that it fits.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './machine.mjs';

const pureModule = { pure: true };
const exactModule = { pure: true, exact: true };

export const modules = [
  // L0: bytes, canonical JSON, results, refusals, limits, exact math
  { name: 'base', path: /^src\/base\//, may: [] },
  // L1: every shape that crosses a boundary
  { name: 'codec', path: /^src\/codec\//, may: ['base'], ...pureModule },
  // L2: pure rules. Verifiers of certificates share nothing with their engines except base, shapes, constants and frozen tables
  { name: 'engines/contract', path: /^src\/engines\/engine\.ts$/, may: ['base'], ...exactModule },
  { name: 'engines/text', path: /^src\/engines\/text\//, may: [], ...exactModule },
  { name: 'engines/simulation/verify', path: /^src\/engines\/simulation\/verify\//, may: ['base', 'codec'], ...exactModule },
  { name: 'engines', path: /^src\/engines\//, may: ['base', 'codec'], ...exactModule },
  { name: 'domain', path: /^src\/domain\//, may: ['base', 'codec'], ...pureModule },
  { name: 'pictures', path: /^src\/pictures\//, may: ['base'], ...pureModule },
  // One folder for each mission kind, and the tables that name them
  ...readdirSync(join(root, 'src', 'kinds'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => kindModules(name)),
  {
    name: 'kinds/contract',
    path: /^src\/kinds\/(?:claims|improvement|kind|reading|size)\.ts$/,
    may: ['base', 'codec', 'engines/contract', 'kinds/shapes', 'pictures'],
    ...pureModule,
  },
  {
    name: 'kinds/shapes',
    path: /^src\/kinds\/(?:effort|explained|fields|inputs|provenance|request|view-fields|works)\.ts$/,
    may: ['base', 'codec', 'kinds/*/shapes'],
    ...pureModule,
  },
  {
    name: 'kinds',
    path: /^src\/kinds\/[^/]+\.ts$/,
    may: ['base', 'codec', 'engines/contract', 'kinds/contract', 'kinds/shapes', 'kinds/*'],
    ...pureModule,
  },
  // Records and exports as files that people open: the same bytes on every machine
  {
    name: 'reports',
    path: /^src\/reports\//,
    may: ['base', 'codec', 'pictures', 'kinds/shapes', 'kinds/*/shapes', 'kinds/*/terms'],
    ...exactModule,
  },
  // L3: one kind of effect each
  { name: 'store', path: /^src\/store\//, may: ['base', 'codec'] },
  { name: 'archive', path: /^src\/archive\//, may: ['base'] },
  // People's own files, on the way to the draft of a mission
  {
    name: 'intake',
    path: /^src\/intake\//,
    may: [],
    layers: ['base', 'codec', 'archive', 'kinds/shapes', 'kinds/*/shapes', 'reports', 'sandbox'],
  },
  { name: 'home', path: /^src\/home\//, may: ['base'] },
  { name: 'witness', path: /^src\/witness\//, may: ['base'] },
  { name: 'webhook', path: /^src\/webhook\//, may: ['base'] },
  { name: 'provider', path: /^src\/provider\//, may: ['base', 'codec'] },
  { name: 'sandbox', path: /^src\/sandbox\//, may: ['base'] },
  { name: 'chain', path: /^src\/chain\//, may: ['base', 'codec'] },
  { name: 'journal', path: /^src\/journal\//, may: ['base', 'codec', 'domain', 'store'] },
  { name: 'state', path: /^src\/state\//, may: ['base', 'codec', 'domain', 'journal', 'store'] },
  // Only src/tables reads rows, so that nothing is shown or decided by a row that was not compared with its signed entries
  { name: 'tables', path: /^src\/tables\//, may: ['base', 'codec', 'domain', 'journal', 'state', 'store'] },
  // L4: use cases; each module sees the ones named here
  ...appModules({
    threads: [],
    orchestrator: [],
    home: [],
    control: ['home'],
    reference: ['home'],
    intake: ['home'],
    tools: ['home'],
    tokens: ['home'],
    approvals: ['home', 'tokens'],
    log: ['home', 'tools'],
    code: ['home', 'threads', 'tools'],
    missions: ['code', 'home', 'orchestrator', 'reference', 'threads', 'tools', 'workers'],
    exports: ['code', 'home', 'missions', 'reference', 'threads', 'tools'],
    backup: ['home', 'log', 'tools'],
    transfer: ['home', 'tools'],
    wallet: ['home', 'tools'],
    invoices: ['exports', 'home', 'missions', 'reference', 'tools', 'wallet'],
    ascension: ['exports', 'home', 'missions', 'tools'],
    alerts: [],
    notices: ['daemon', 'home'],
    bus: ['home', 'tokens'],
    daemon: ['alerts', 'home', 'log', 'missions', 'orchestrator', 'threads'],
    workers: ['home', 'threads'],
    'simulation/ledger': [],
    'simulation/islands': ['threads', 'workers'],
    'simulation/runs': ['alerts', 'home', 'orchestrator', 'simulation/islands', 'simulation/ledger', 'threads', 'workers'],
    simulation: ['daemon', 'home', 'orchestrator', 'simulation/islands', 'simulation/runs', 'workers'],
    operator: ['code', 'daemon', 'home', 'log', 'missions', 'notices', 'threads', 'tokens', 'tools', 'workers'],
  }),
  // L5: what the outside touches
  { name: 'http/core', path: /^src\/http\/core\//, may: ['base', 'codec'] },
  { name: 'http/operator', path: /^src\/http\/operator\//, may: ['base', 'codec', 'kinds/shapes', 'app/*', 'http/core', 'mcp'] },
  { name: 'http/simulation', path: /^src\/http\/simulation\//, may: ['base', 'codec', 'reports', 'app/*', 'http/core'] },
  // Only the start of the daemon loads the server of the bus, and the command that sends loads its client
  { name: 'bus', path: /^src\/bus\//, may: ['base', 'codec', 'app/*'] },
  // The public entry point that serves the simulation alone uses the command line's start-up code
  {
    name: 'http/simulation-main',
    path: /^src\/http\/simulation-(?:main|alone)\.ts$/,
    may: ['base', 'app/*', 'cli', 'http'],
  },
  {
    name: 'http',
    path: /^src\/http\/(?:start|log)\.ts$/,
    may: ['base', 'codec', 'app/*', 'bus', 'http/operator', 'http/simulation'],
  },
  // The protocol of assistants
  { name: 'mcp', path: /^src\/mcp\//, may: ['base', 'codec', 'intake', 'kinds', 'kinds/shapes', 'app/*'] },
  {
    name: 'cli',
    path: /^src\/cli\//,
    may: ['base', 'codec', 'domain', 'intake', 'kinds', 'kinds/shapes', 'kinds/*/shapes', 'pictures', 'reports', 'app/*'],
  },
  { name: 'commands', path: /^commands\//, may: ['base', 'codec', 'reports', 'app/*', 'bus', 'cli', 'http', 'mcp'] },
  { name: 'console/kit', path: /^src\/console\/kit\//, may: ['base', 'codec', 'reports'] },
  {
    name: 'console/operator',
    path: /^src\/console\/operator\//,
    may: ['base', 'codec', 'kinds/shapes', 'kinds/*/shapes', 'kinds/*/terms', 'reports', 'console/kit'],
  },
  { name: 'console/dashboard', path: /^src\/console\/dashboard\//, may: ['base', 'codec', 'reports', 'console/kit'] },
];

/**
 * Returns the modules of one mission kind. No kind imports another, and no engine its verifier. Of the verifiers only the one of research reads
 * words as its engine does.
 */
function kindModules(kind) {
  const folder = `^src/kinds/${kind}/`;
  const shapes = ['base', 'codec', 'kinds/shapes'];
  const own = [...shapes, `kinds/${kind}/shapes`, `kinds/${kind}/constants`, 'engines/contract', 'engines/text'];
  const part = (name, pattern, layers) => ({
    name: `kinds/${kind}${name}`,
    path: new RegExp(`${folder}${pattern}`),
    may: [],
    layers,
    optional: true,
    ...exactModule,
  });
  return [
    part('/shapes', '(?:calendar|civil|clock|decimal-grid|figures|gaps|open-hours|work|view|example)\\.ts$', shapes),
    { ...part('/terms', 'terms\\.ts$', []), exact: false },
    part('/constants', '(?:constants|prompt|result)\\.ts$', [...shapes, `kinds/${kind}/shapes`]),
    part('/verify', 'verify/', [...own, 'kinds/contract', ...(kind === 'research' ? ['kinds/research/engine'] : [])]),
    part('/engine', 'engine/', [...own, 'engines']),
    {
      ...part('', '', [
        ...own,
        'engines',
        'pictures',
        'kinds/contract',
        ...['terms', 'engine', 'verify'].map((each) => `kinds/${kind}/${each}`),
      ]),
      exact: false,
    },
  ];
}

/** Returns the modules of app: they may use every lower layer, and of app only what is listed. */
function appModules(table) {
  const effects = [
    'archive',
    'chain',
    'home',
    'intake',
    'journal',
    'provider',
    'sandbox',
    'state',
    'store',
    'tables',
    'webhook',
    'witness',
  ];
  const layers = ['base', 'codec', 'domain', 'engines*', 'kinds*', 'reports', ...effects];
  return Object.entries(table).map(([name, may]) => ({
    name: `app/${name}`,
    path: new RegExp(`^src/app/${name}/`),
    may: may.map((other) => `app/${other}`),
    layers,
  }));
}

/** Folders below which no two folders may import each other, even indirectly. */
export const acyclic = ['src/app', 'src/http', 'src/console'];
