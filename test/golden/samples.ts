/** Missions of golden homes. Their goals, sources and figures are constructed. */
import { sha256Hex } from '../../src/base/hash.js';
import type { Kind } from '../../src/codec/kinds.js';
import { exampleText } from '../../src/kinds/examples.js';
import { uuidOf } from '../support/temporary-home.js';
import type { Json } from './operator.js';

/** The request id of a golden home's mission number n, which is the mission's id. */
export const requestId = uuidOf;

/** Public keys of workers, of which nobody has the private one. */
export const workerKeys = [sha256Hex('rack-1'), sha256Hex('rack-2')] as const;

export const example = (kind: Kind): Json => JSON.parse(exampleText(kind)) as Json;

export const planMission = (n: number): Json => ({
  goal: `Choose what to repair before winter ${n}`,
  work: {
    kind: 'allocation',
    budget: 10 + (n % 5),
    items: [
      { id: 'roof', cost: 6, value: 9 },
      { id: 'door', cost: 3, value: 4 + (n % 3) },
      { id: 'fence', cost: 5, value: 5, risk: 0.25 },
    ],
  },
});

export const researchMission = (n: number): Json => ({
  goal: `When is high water at pier ${n}?`,
  work: {
    kind: 'research',
    sources: [
      {
        id: 'log',
        title: 'Harbour log',
        text: `High water at pier ${n} is at six. Naïve readers – "all" of them – expect seven.`,
      },
      { id: 'letter', title: 'A letter', text: 'Mrs Brandauer keeps bees.', url: 'https://example.org/letter' },
    ],
  },
});

export const scheduleMission = (n: number): Json => ({
  goal: `Sequence the orders of week ${n}`,
  work: {
    kind: 'schedule',
    objective: n % 2 === 0 ? 'makespan' : 'weighted_tardiness',
    jobs: ['a', 'b', 'c'].map((id, i) => ({
      id,
      due: 9 + n,
      operations: [
        { machine: 'saw', duration: 1 + ((n + i) % 4) },
        { machine: 'press', duration: 2 + i },
      ],
    })),
  },
});

export const forecastMission = (n: number): Json => ({
  goal: `Forecast the visitors of hall ${n}`,
  work: {
    kind: 'forecast',
    observations: Array.from({ length: 24 }, (_, i) => 10 + ((i * 7 + n) % 5) + i * 0.125),
    horizon: 3,
    holdout: 4,
    season: n % 2 === 0 ? 1 : 4,
  },
});

/** A request of more than 64 KiB and a result of more than 64 KiB: each is kept in a blob. */
export const largeMission = (): Json => ({
  goal: 'Sequence the orders of a year',
  work: {
    kind: 'schedule',
    jobs: Array.from({ length: 190 }, (_, i) => ({
      id: `order-${i}`,
      operations: Array.from({ length: 10 }, (_, k) => ({ machine: `station-${(i + k) % 7}`, duration: 1 + ((i * 3 + k) % 9) })),
    })),
  },
});

/** Takes an engine longer than anybody waits, with the evaluations that `longConfiguration` allows. */
export const longMission = (): Json => example('schedule');
export const longConfiguration = { max_evaluations: 100_000_000 };

/** A run whose request, and whose outcome, has more than 64 KiB. */
export const largeRun = (): Json => ({
  generations: 1,
  pop_size: 8,
  seed: 5,
  sectors: Array.from({ length: 900 }, (_, i) => ({ name: `sector number ${i} of nine hundred`, entropy: 1 + (i % 7) / 4 })),
});

export const toolManifest = {
  tool_id: 'mail_send',
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name: 'Mail',
  tool_version: '1.0',
  provider: 'somebody',
  description: 'Sends mail.',
  permission_classes_supported: ['draft', 'send'],
  default_permission: 'draft',
  risk_class: 'high',
  side_effects: [],
  data_access: [],
  external_effect: true,
  rollback_supported: false,
  compensation_supported: false,
  approval_required_for: ['send'],
  audit_required: true,
  evidence_required: true,
  owner: 'us',
  status: 'active',
  x: { y: 1 },
};
