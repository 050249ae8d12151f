/** The seven recorded roles of a mission and the notes of each, in order. */
import { work_budget_ms } from '../../base/limits.js';
import type { Mission } from '../../codec/record.js';
import type { Role } from '../../codec/roles.js';
import { without_objective } from '../../kinds/improvement.js';
import type { Execution } from '../threads/engine-thread.js';
import type { Answered, RefusedWork } from './compute.js';
import type { Leased } from './lease.js';
import type { LeasedProvider } from './provider.js';

export interface StageNote {
  readonly role: Role;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns the notes that are recorded before the engine runs. */
export function stagesBefore({ mission, max_evaluations, provider }: Leased): readonly StageNote[] {
  return [
    {
      role: 'planning',
      detail: {
        config_hash: mission.config_hash,
        evaluation_limit: max_evaluations,
        goal: mission.goal,
        input_hash: mission.request_hash,
        kind: mission.kind,
        ...(provider === null ? {} : { provider: plannedCall(provider) }),
        wall_seconds_limit: work_budget_ms / 1_000,
      },
    },
    {
      role: 'research',
      detail: { input_provenance: 'operator-supplied', parent: mission.parent, parent_digest: mission.parent_digest },
    },
  ];
}

/** Returns what of the call is decided before it. The address stays in the configuration, whose hash is recorded. */
const plannedCall = ({ settings, max_tokens, call_ms_max }: LeasedProvider) => ({
  model: settings.model,
  mode: settings.mode,
  max_tokens,
  seconds_limit: call_ms_max / 1_000,
});

/** Returns the member that says where a search was computed, for one that left this machine. */
const computedBy = (execution: Execution | undefined) => (execution === undefined ? {} : { execution });

const memberOf = (result: unknown, name: string): unknown =>
  typeof result === 'object' && result !== null && name in result
    ? (result as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * Returns the notes that are recorded when the answer of a language model is refused, candidates have run and none of them counts, or
 * workers gave no result that counts.
 */
export function stagesOfFailure({ engine }: Mission, { codegen, execution, inference }: RefusedWork): readonly StageNote[] {
  const strategy = {
    role: 'strategy',
    detail: { engine, inference: inference ?? null, iterations: null, method: null, ...computedBy(execution) },
  } as const;
  if (codegen === undefined) return inference === undefined && execution === undefined ? [] : [strategy];
  return [
    strategy,
    { role: 'market', detail: { ...without_objective, realized_revenue: null, token_settlement: 'not_recorded' } },
    { role: 'codegen', detail: codegen },
  ];
}

/** Returns the notes that are recorded once the engine has returned. */
export function stagesAfter(mission: Mission, answer: Answered): readonly StageNote[] {
  const { result, result_hash, verification, improvement, iterations } = answer;
  const inference = answer.inference ?? memberOf(result, 'inference') ?? null;
  return [
    {
      role: 'strategy',
      detail: {
        engine: mission.engine,
        inference,
        iterations,
        method: memberOf(result, 'method') ?? null,
        ...computedBy(answer.execution),
      },
    },
    {
      role: 'market',
      detail: { ...improvement, realized_revenue: null, token_settlement: 'not_recorded' },
    },
    {
      role: 'codegen',
      detail: {
        artifact_type: 'application/json',
        execution: `${inference === null ? 'built-in analytical engine' : 'language model'}; no model-generated code was executed`,
        ...answer.codegen,
        result_hash,
      },
    },
    { role: 'safety', detail: { checks: verification.checks, passed: verification.passed, review_required: true } },
    { role: 'memory', detail: { kept: 'result and stages, for review', parent: mission.parent, result_hash } },
  ];
}
