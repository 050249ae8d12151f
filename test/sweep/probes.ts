/** The commands that try an altered home. Each runs on a copy of its own, at the same path and time, so that outputs compare. */
import { missions } from './mixed-home.js';

/** Where the commands of a sweep run. */
export interface Workplace {
  /** The working directory: holds `home`, `witness` and whatever commands write. */
  readonly folder: string;
  /** A checkpoint that was saved from the main home. */
  readonly checkpoint: string;
  /** A mission file. */
  readonly mission: string;
  readonly review: { readonly revision: number; readonly result_hash: string };
  /** Ids of the runs that succeeded, in the order of their requests. */
  readonly runs: readonly string[];
}

interface Probe {
  readonly argv: (at: Workplace) => readonly string[];
  /**
   * What the command may do on damaged entries: `works`, as what stops or protects something; `prints`, with a warning, and exit
   * code 3 afterwards.
   */
  readonly onDamage?: 'works' | 'prints';
  /** Whether it signs an entry. */
  readonly signs?: true;
  /** Also reads a home that a newer program wrote. */
  readonly readsNewer?: true;
}

const alone = (...argv: readonly string[]): Probe => ({ argv: () => argv });
const shows = (id: string): Probe => ({ argv: () => ['show', id], onDamage: 'prints', readsNewer: true });
const signs = (...argv: readonly string[]): Probe => ({ argv: () => argv, signs: true });
const works = (...argv: readonly string[]): Probe => ({ argv: () => argv, onDamage: 'works', signs: true });

export const probes = {
  verify: { argv: () => ['verify'], readsNewer: true },
  'verify --deep': { argv: () => ['verify', '--deep'], readsNewer: true },
  'verify --against': { argv: ({ checkpoint }) => ['verify', '--against', checkpoint], readsNewer: true },
  list: { argv: () => ['list'], onDamage: 'prints', readsNewer: true },
  'list --state review': { argv: () => ['list', '--state', 'review'], onDamage: 'prints', readsNewer: true },
  'show queued': shows(missions.queued),
  'show review': shows(missions.review),
  'show largeResult': shows(missions.largeResult),
  'show completed': shows(missions.completed),
  'show completedResearch': shows(missions.completedResearch),
  'show rejected': shows(missions.rejected),
  'show failed': shows(missions.failed),
  'show recovered': shows(missions.recovered),
  'show erased': shows(missions.erased),
  'show running': shows(missions.running),
  runs: alone('runs'),
  'runs first': { argv: ({ runs }) => ['runs', runs[0] ?? ''] },
  'runs second': { argv: ({ runs }) => ['runs', runs[1] ?? ''] },
  'token list': alone('token', 'list'),
  'tool list': alone('tool', 'list'),
  'tool show': alone('tool', 'show', 'mission_allocation'),
  'witness list': alone('witness', 'list'),
  invoices: alone('invoices'),
  'approver list': { argv: () => ['approver', 'list'], readsNewer: true },
  'worker-key list': { argv: () => ['worker-key', 'list'], readsNewer: true },
  'config show': alone('config', 'show'),
  checkpoint: alone('checkpoint'),
  proof: alone('proof', '7'),
  doctor: alone('doctor'),
  run: { argv: ({ mission }) => ['run', mission, '--request-id', '00000000-0000-4000-8000-0000000030a1'], signs: true },
  'run again': { argv: ({ mission }) => ['run', mission, '--request-id', missions.recovered] },
  review: {
    argv: ({ review: { revision, result_hash } }) => {
      const shown = ['--revision', String(revision), '--result-hash', result_hash];
      return ['review', missions.review, ...shown, '--reject', '--note', 'not what was asked'];
    },
    signs: true,
  },
  cancel: works('cancel', missions.queued),
  recover: signs('recover', missions.failed),
  erase: signs('erase', missions.completedResearch, '--reason', 'asked by the data subject'),
  pause: works('pause'),
  'token revoke': works('token', 'revoke', 'alice'),
  'tool status': signs('tool', 'status', 'invoice', '--set', 'disabled', '--note', 'not used'),
  export: { argv: ({ folder }) => ['export', missions.completed, '--output', `${folder}/export.json`], readsNewer: true },
  backup: { argv: ({ folder }) => ['backup', `${folder}/backup.zip`] },
  publish: { argv: ({ folder }) => ['publish', `${folder}/published`] },
  rebuild: alone('rebuild'),
} as const satisfies Readonly<Record<string, Probe>>;

export type ProbeName = keyof typeof probes;
export const probeNames = Object.keys(probes) as readonly ProbeName[];
export const probeOf = (name: ProbeName): Probe => probes[name];

/** Those that every change meets; of the others it meets a few in turn. */
export const usualProbes: readonly ProbeName[] = [
  'verify',
  'verify --deep',
  'list',
  'show review',
  'checkpoint',
  'run',
  'review',
  'export',
];
