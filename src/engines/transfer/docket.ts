/**
 * An evidence docket: thirteen sections of files that repeat the contents of a run for readers of one question each, and name
 * what was not measured. A run has one docket: its files are the same bytes as the reference agent's.
 */
import { sha256Hex } from '../../base/bytes.js';
import type { TransferRun } from '../../codec/transfer-run.js';
import { digestOf, indentedText } from '../../codec/transfer-text.js';
import { protocol } from '../../codec/transfer.js';
import type { Outcome } from './outcome.js';

export const checksums = 'checksums.json';
export const runMember = '05_agialpha_runs/run.json';

/** The names of the files, in the order of the archive. */
export const docketNames = [
  '00_manifest.md',
  '01_claims_matrix.md',
  '02_environment.md',
  '03_benchmark_tasks/spec.json',
  '04_baselines/comparison.json',
  '05_agialpha_runs/action_reason_trace.json',
  runMember,
  '06_proof_bundles/capability.json',
  '07_replay_logs/replay.json',
  '08_cost_ledgers/costs.json',
  '09_safety_ledgers/safety.json',
  '10_validator_reports/review.json',
  '11_alpha_wu_calibration/status.json',
  '12_summary_tables/outcome.json',
  checksums,
] as const;
export type DocketName = (typeof docketNames)[number];

/** The hash of the manuscript that names the baselines and the sections. */
const manuscript_sha256 = '4b290d5a8232364b8808c0af8a96e7c9b152afd7ac3f5ba05668a538e073791a';

const markdown = (run: TransferRun, outcome: Outcome): readonly (readonly [DocketName, string])[] => [
  [
    '00_manifest.md',
    `# Evidence Docket\n\nProtocol: ${protocol}\n\nRun: ${run.sha256}\n\nManuscript SHA-256: ${manuscript_sha256}\n\n` +
      'Local replay verifies computation, not independence.\n',
  ],
  [
    '01_claims_matrix.md',
    `# Claims\n\n| Claim | Status |\n|---|---|\n| Bounded future-task transfer | ${outcome.bounded_transfer} |\n` +
      '| General RSI, economic alpha, external validation | Unproven |\n' +
      '| Manuscript promotion | HOLD: missing comparators, scaling and external evidence |\n',
  ],
  [
    '02_environment.md',
    '# Environment\n\nPython 3.11–3.13 or modern browser/Node 22; integer arithmetic.\n' +
      'No network, LLM, tools or settlement used by the experiment. Public synthetic fixtures; not blinded. ' +
      'Wall time is an observation, not independently attested.\n',
  ],
];

const reasons = {
  freeze: 'Prevent future answers entering policy selection',
  compare: 'Measure future tasks against disclosed baselines',
  gate: 'Require accepted review, positive adjusted gain and bounded forecast error',
};
const costWords = {
  unit: 'modeled milliunits, not currency',
  training_cost: 'all A selection calls charged to B6; no amortization',
  replay_and_baseline_work:
    'creation includes all baselines and one charged full replay; later UI preparation, exports and replays are outside this timing',
};
const unmeasured = ['energy', 'monetary compute cost', 'active human attention'];
const safetyWords = { execution: 'fixed arithmetic only', real_world_risk: 'not measured' };
const method = 'recompute all predictions';
const uncalibrated = 'No external reference workload or verifier';

/** Returns the JSON files except the checksums. */
export function docketValues(run: TransferRun, outcome: Outcome): readonly (readonly [DocketName, unknown])[] {
  const { spec, core, review, observations } = run;
  const { call_cost_milli, human_cost_milli_per_second, coordination_cost_milli } = spec;
  return [
    ['03_benchmark_tasks/spec.json', spec],
    [
      '04_baselines/comparison.json',
      { profile: core.baseline_profile, arms: core.arms, not_measured: core.unmeasured_baselines },
    ],
    [
      '05_agialpha_runs/action_reason_trace.json',
      [
        { action: 'freeze', reason: reasons.freeze, evidence: core.capability.sha256 },
        { action: 'compare', reason: reasons.compare, evidence: core.spec_sha256 },
        { action: 'gate', reason: reasons.gate, evidence: outcome },
      ],
    ],
    [runMember, run],
    ['06_proof_bundles/capability.json', core.capability],
    ['07_replay_logs/replay.json', { spec_sha256: core.spec_sha256, core_sha256: digestOf(core), method, independent: false }],
    [
      '08_cost_ledgers/costs.json',
      {
        metrics: core.metrics,
        observations,
        human_review: review,
        assumed_rates: { call_cost_milli, human_cost_milli_per_second, coordination_cost_milli },
        ...costWords,
        tokens: 0,
        tool_calls: 0,
        unmeasured,
        execution_accounting: core.execution_accounting,
      },
    ],
    [
      '09_safety_ledgers/safety.json',
      {
        risk_limit_milli: spec.risk_limit_milli,
        risk_passed: core.metrics.risk_passed,
        network: false,
        ...safetyWords,
        rollback: core.capability.rollback,
      },
    ],
    ['10_validator_reports/review.json', { review, independent: false, evidence_contact: core.evidence_contact }],
    ['11_alpha_wu_calibration/status.json', { status: 'uncalibrated', alpha_WU: null, reason: uncalibrated }],
    ['12_summary_tables/outcome.json', outcome],
  ];
}

/** Returns the files of a verified run's docket. */
export function docketMembers(run: TransferRun, outcome: Outcome) {
  const json = docketValues(run, outcome).map(([name, value]) => [name, indentedText(value)] as const);
  const texts = new Map([...markdown(run, outcome), ...json]);
  texts.set(checksums, checksumsText(texts));
  return docketNames.map((name) => ({ name, text: texts.get(name) ?? '' }));
}

/** Returns the text of checksums.json for these files. */
export const checksumsText = (texts: ReadonlyMap<DocketName, string>): string =>
  indentedText(
    Object.fromEntries([...texts].filter(([name]) => name !== checksums).map(([name, text]) => [name, sha256Hex(text)])),
  );
