/** What a program says of a home: read by the command line where a golden home is recorded, by the app's functions where it is compared. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import { exportMission } from '../../src/app/exports/export.js';
import { openAsIs } from '../../src/app/home/as-is.js';
import { openHome, type Home, type World } from '../../src/app/home/home.js';
import { listPage, showMission } from '../../src/app/missions/missions.js';
import { newestEntries } from '../../src/app/simulation/ledger.js';
import { runRecords, showRun } from '../../src/app/simulation/records.js';
import { verifyRun } from '../../src/app/simulation/verify-run.js';
import { listTokens } from '../../src/app/tokens/records.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { listWitnesses } from '../../src/app/log/witness.js';
import { sha256Hex } from '../../src/base/hash.js';
import { countBlobs, countTypes, type TypeCounts } from './event-types.js';
import { itemsOf, type Json, type Operator } from './operator.js';

/** The documents that commands print with `--json`. */
export interface Program {
  /** Keeps the home open for all that the work reads. */
  readonly together: <A>(work: () => Promise<A>) => Promise<A>;
  readonly verify: (deep: boolean) => Promise<Json>;
  readonly list: () => Promise<Json>;
  readonly show: (mission: string) => Promise<Json>;
  readonly export: (mission: string, output: string) => Promise<Json>;
  readonly verifyExport: (file: string, publicKey: string, recompute: boolean) => Promise<Json>;
  readonly runs: () => Promise<Json>;
  readonly run: (run: string) => Promise<Json>;
  readonly verifyRun: (run: string) => Promise<Json>;
  readonly ledger: () => Promise<Json>;
  readonly tokens: () => Promise<Json>;
  readonly witnesses: () => Promise<Json>;
}

const page = 500;

export const byCommands = ({ run }: Operator): Program => ({
  together: (work) => work(),
  verify: (deep) => run(deep ? ['verify', '--deep'] : ['verify']),
  list: async () => asRecorded(await run(['list', '--limit', String(page)])),
  show: async (mission) => asRecorded(await run(['show', mission])),
  export: (mission, output) => run(['export', mission, '--output', output]),
  verifyExport: (file, publicKey, recompute) =>
    run(['verify-export', file, '--public-key', publicKey, ...(recompute ? ['--recompute'] : [])]),
  runs: () => run(['runs', '--limit', String(page)]),
  run: (id) => run(['runs', id]),
  verifyRun: (id) => run(['verify-run', id]),
  ledger: () => run(['show-results', '--limit', String(page)]),
  tokens: () => run(['token', 'list']),
  witnesses: () => run(['witness', 'list']),
});

export function withHome<A>(world: World, work: (home: Home) => A | Promise<A>): Promise<A> {
  const home = openHome(world);
  return Promise.resolve()
    .then(() => work(home))
    .finally(() => home.close());
}

/** Members that depend on when a mission is shown: whether a running one was interrupted or is late, and what to do next. */
const momentary = new Set(['interrupted', 'late', 'next']);

/** Returns a record or a list without them: no program can record today what it will say of a running mission later. */
export const asRecorded = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (name, member: unknown) => (momentary.has(name) ? undefined : member))) as Json;

const written = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** @param folder holds the ledger, as the directory that a command is run in does */
export function byFunctions(world: World, folder: string): Program {
  let kept: Home | null = null;
  const read = async (work: (home: Home) => unknown): Promise<Json> =>
    written(await (kept === null ? withHome(world, work) : work(kept)));
  return {
    together: (work) =>
      withHome(world, async (home) => {
        kept = home;
        return await work().finally(() => (kept = null));
      }),
    verify: async (deep) => {
      const home = openAsIs(world, { tolerate: ['config', 'witness', ...damageFaults] });
      return written(await verifyHome(home, { deep }).finally(() => home.close()));
    },
    list: () => read((home) => asRecorded(listPage(home, { limit: page }))),
    show: (mission) => read((home) => asRecorded(showMission(home, mission))),
    export: (mission, output) => read((home) => exportMission(home, mission, output)),
    verifyExport: async (file, publicKey, recompute) => written(await verifyExport({ file, publicKey, recompute })),
    runs: () => read((home) => runRecords(home.db, { limit: page })),
    run: (id) => read((home) => showRun(home.db, id, false)),
    verifyRun: (id) => read(async (home) => await verifyRun(home, id)),
    ledger: () => Promise.resolve(written({ items: newestEntries(join(folder, 'ledger', 'runs.jsonl'), page) })),
    tokens: () => read(listTokens),
    witnesses: () => read(listWitnesses),
  };
}

/** The short part of what is said, for people to read in `expected.json`. */
export interface Summary {
  readonly types: TypeCounts;
  /** Entries by type and member that name a blob. */
  readonly blobs: TypeCounts;
  readonly verify: Json;
  readonly verify_deep: Json;
  readonly results: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
  readonly verify_export: Readonly<Record<string, Json>>;
  readonly verify_run: Readonly<Record<string, Json>>;
}

export interface Observation {
  readonly summary: Summary;
  /** Records as `show` and `runs` print them, by id, and the lists by their names. */
  readonly shown: Readonly<Record<string, Json>>;
  /** The bytes of every export, by mission. */
  readonly exported: Readonly<Record<string, Buffer>>;
}

/** A report without the only member that differs from run to run. */
export const untimed = (report: Json): Json =>
  Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'elapsed_ms'));

/**
 * Reads everything; exports are written into `output`, which must not exist. The home is verified before another command brings it up
 * to date.
 */
export async function observe(program: Program, world: World, output: string): Promise<Observation> {
  const verified = [untimed(await program.verify(false)), untimed(await program.verify(true))] as const;
  return program.together(() => observeVerified(program, world, output, verified));
}

async function observeVerified(
  program: Program,
  world: World,
  output: string,
  [verify, verify_deep]: readonly [Json, Json],
): Promise<Observation> {
  const list = await program.list();
  const ids = itemsOf(list).map(({ id }) => String(id));
  const missions = await collect(ids, program.show);
  const runs = await program.runs();
  const finished = itemsOf(runs).flatMap(({ id, state }) => (state === 'succeeded' ? [String(id)] : []));
  mkdirSync(output);
  const fileOf = (id: string): string => join(output, `${id}.json`);
  const exportable = ids.filter((id) => missions[id]?.['state'] === 'completed' && missions[id]['erased'] !== true);
  for (const id of exportable) await program.export(id, fileOf(id));
  const exported = Object.fromEntries(exportable.map((id) => [id, readFileSync(fileOf(id))]));
  const publicKey = String(verify['identity']).split(':').at(-1)!;
  const recomputed = new Set(firstOfEachEngine(exportable, missions));
  return {
    summary: {
      types: await withHome(world, ({ db }) => countTypes(db)),
      blobs: await withHome(world, ({ db }) => countBlobs(db)),
      verify,
      verify_deep,
      results: Object.fromEntries(ids.map((id) => [id, missions[id]?.['result_hash']]).filter(([, hash]) => hash !== null)),
      exports: Object.fromEntries(
        Object.entries(exported).map(([id, bytes]) => [id, { sha256: sha256Hex(bytes), bytes: bytes.length }]),
      ),
      verify_export: await collect([...recomputed], (id) => program.verifyExport(fileOf(id), publicKey, true)),
      verify_run: await collect(finished, program.verifyRun),
    },
    shown: {
      ...missions,
      ...(await collect(finished, program.run)),
      list,
      runs,
      ledger: { items: (await program.ledger())['items'] },
      tokens: await program.tokens(),
      witnesses: await program.witnesses(),
    },
    exported,
  };
}

async function collect(ids: readonly string[], read: (id: string) => Promise<Json>): Promise<Record<string, Json>> {
  const documents: Record<string, Json> = {};
  for (const id of ids) documents[id] = await read(id);
  return documents;
}

/** Recomputing all of them would take long and check the same engine again and again. */
function firstOfEachEngine(ids: readonly string[], missions: Readonly<Record<string, Json>>): string[] {
  const first = new Map<string, string>();
  for (const id of ids) {
    const key = JSON.stringify([missions[id]?.['kind'], missions[id]?.['engine']]);
    if (!first.has(key)) first.set(key, id);
  }
  return [...first.values()];
}
