/**
 * The human decision. The result is verified again before an approval is recorded; recording archives it and does nothing else.
 * An approval uses the tools that verify the result. A rejection uses none, so that it is possible whatever their status.
 */
import type { SignedApproval } from '../../base/approval.js';
import { review_note_chars_max } from '../../base/limits.js';
import { invalid, isRefused, RefusalError, refuse } from '../../base/refusal.js';
import { noteFault } from '../../base/text.js';
import type { MissionRecord, ReviewBody } from '../../codec/api-missions.js';
import type { Mission } from '../../codec/record.js';
import { policyOf, type Signing, type SigningFacts } from '../../domain/mission-approve.js';
import { type Circumstances, decideReview, type Decision, reviewRefusal } from '../../domain/mission-decide.js';
import { referenceEngine } from '../../domain/mission.js';
import { toolOfKind } from '../../domain/tool-catalog.js';
import { engineInput } from '../../kinds/engine-input.js';
import { missionKind } from '../../kinds/table.js';
import { isBeyondRecomputing, solverOf, verifierOf } from '../../kinds/verifiers.js';
import type { Transaction } from '../../journal/writer.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readControl } from '../../tables/control.js';
import { newestApprovalBy } from '../../tables/missions.js';
import { approverOf } from '../../tables/tokens.js';
import { engineFor } from '../code/engine.js';
import { requireCode } from '../code/sandbox.js';
import { approvalPolicyOf } from '../home/config.js';
import type { Home } from '../home/home.js';
import { canonicalRequestHash, isOfReference } from '../reference/mission.js';
import { reviewReference } from '../reference/result.js';
import type { RunEngine } from '../threads/engine-thread.js';
import { stoppedTool, toolWarnings } from '../tools/tools.js';
import { change } from './missions.js';
import { verifyingTools } from './lease.js';
import {
  circumstances,
  missionRecord,
  requestTextOf,
  requireMission,
  requireRequest,
  storedResult,
  type StoredResult,
} from './record.js';

export interface ReviewOptions extends ReviewBody {
  readonly actor: string;
  /** A person's signature under an approval. */
  readonly signing?: Signing | undefined;
  readonly runEngine?: RunEngine | undefined;
  /** Receives a warning when a tool that an approval uses is deprecated. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Returns a mission that can be decided now. @throws RefusalError `paused`, `wrong_state`, `not_found` */
export function requireReviewable(home: Home, id: string): MissionRecord {
  const mission = requireMission(home.db, id);
  const refusal = reviewRefusal(mission, readControl(home.db));
  if (refusal !== null) throw new RefusalError(refusal);
  return missionRecord(home, mission);
}

type Judged = Pick<Decision, 'failure' | 'canonical_hash' | 'completed' | 'recomputed'>;

/**
 * The failure of a mission that was not in the reviewed state when it was read. If it reaches that state meanwhile, it is still
 * not approved without verification.
 */
const notReverified = 'the mission changed during the review';

export async function reviewMission(home: Home, id: string, given: ReviewOptions): Promise<MissionRecord> {
  const { runEngine, onWarning, signing = null, ...options } = given;
  const fault = noteFault(options.note, review_note_chars_max);
  if (fault !== null) throw new RefusalError(invalid('note', fault));
  const mission = requireMission(home.db, id);
  const stored = storedResult(home.db, mission);
  const isCurrent = mission.state === 'review' && mission.revision === options.revision;
  const { approve } = options;
  // Without an engine there is no approval, whatever the status of a tool.
  const isVerified = mission.engine?.name !== referenceEngine.name;
  const used = isVerified ? verifyingTools(mission.kind) : [toolOfKind(mission.kind)];
  const tools = approve && missionKind(mission.kind).solver !== null ? used : [];
  const stopped = isCurrent ? stoppedTool(home.db, tools) : null;
  const run = runEngine ?? engineFor(home, mission.kind);
  const judged =
    isCurrent && stopped === null
      ? await judge(home, mission, stored, approve ? run : null)
      : { failure: notReverified, completed: completedBy(mission, stored, mission.request_hash) };
  let warnings: readonly string[] = [];
  const reviewed = await change(home, id, (tx, current) => {
    const now = circumstances(tx, options.actor);
    const signingFacts = approve ? signingFactsOf(home, tx, current, now, signing) : null;
    const events = decideReview(current, { ...options, ...judged, signing, signingFacts }, now);
    // The mission's state comes first: the tools are checked only for an approval that nothing else refuses.
    if (isRefused(events) && events.left.code !== 'verification_failed') return events;
    const refusal = stopped ?? stoppedTool(tx.db, tools);
    if (refusal === null) warnings = tools.flatMap((tool) => toolWarnings(tx.db, tool));
    return refusal === null ? events : refuse(refusal);
  });
  for (const warning of warnings) onWarning?.(warning);
  return reviewed;
}

/** Returns what a signature, or its absence, is judged by at this moment. */
const signingFactsOf = (
  { writer, signer }: Home,
  { db }: Transaction,
  mission: Mission,
  { now, actor }: Circumstances,
  signing: Signing | null,
): SigningFacts => ({
  policy: policyOf(mission, approvalPolicyOf(db)),
  origin: writer.origin,
  identity: signer.identity,
  now,
  bound: approverOf(db, actor),
  approver: signing === null ? null : (recordedApprovers(db).get(signing.subject.approver) ?? null),
  counter: signing === null ? 0 : counterOf(newestApprovalBy(db, signing.subject.key)),
});

/** Returns how often an authenticator says that the key of an approval signed (WebAuthn Level 3, section 6.1); 0 for an SSH key. */
export const counterOf = (approval: Pick<SignedApproval, 'authenticator_data'> | null): number => {
  const data = Buffer.from(approval?.authenticator_data ?? '', 'base64url');
  return data.length < 37 ? 0 : data.readUInt32BE(33);
};

/** Returns the data of the mission that an approval repeats; `request_hash` is that of the canonical request. */
const completedBy = (mission: Mission, stored: StoredResult | null, request_hash: string): Decision['completed'] => ({
  result: (stored?.result ?? null) as Readonly<Record<string, unknown>>,
  kind: mission.kind,
  goal: mission.goal,
  request_hash,
  ...(mission.engine === null ? {} : { engine: mission.engine }),
  ...(mission.effort === null ? {} : { effort: mission.effort }),
  warm_start: stored?.warm_start ?? null,
  parent: mission.parent,
  parent_digest: mission.parent_digest,
  ...(mission.assistant === null ? {} : { assistant: mission.assistant }),
});

/**
 * Judges whether the result is valid now, under its own hash; a result of the reference agent under the hash of its text.
 * @param run null for a rejection, for which no engine runs
 */
async function judge(home: Home, mission: Mission, stored: StoredResult | null, run: RunEngine | null): Promise<Judged> {
  if (mission.engine?.name === referenceEngine.name) {
    const { failure, canonical_hash, request_hash } = reviewReference(home.db, mission);
    const completed = completedBy(mission, stored, request_hash ?? mission.request_hash);
    const source = mission.result_hash === null ? {} : { source_result_hash: mission.result_hash };
    return { failure, canonical_hash, completed: { ...completed, ...source } };
  }
  const failure = run === null ? null : await reverify(home, mission, stored?.result ?? null, run);
  const foreign = isOfReference(home.db, mission) ? canonicalRequestHash(home.db, mission) : null;
  const judged = { failure, completed: completedBy(mission, stored, foreign ?? mission.request_hash) };
  return isBeyondRecomputing(mission.kind, mission.engine) ? { ...judged, recomputed: null } : judged;
}

/** Returns why the result is not valid now, or null. */
async function reverify(home: Home, mission: Mission, result: unknown, run: RunEngine): Promise<string | null> {
  const { solver } = missionKind(mission.kind);
  if (solver === null) return `there is no verifier for ${mission.kind} missions`;
  const { engine: made, kind } = mission;
  const { needsSandbox } = missionKind(kind);
  const { engine } = solver;
  const current = made !== null && made.name === engine.name && made.version === engine.version;
  if (made === null || !(needsSandbox ? current : verifierOf(solverOf(kind), made) !== null)) {
    return `it was made by ${made?.name ?? 'an unknown engine'} ${made?.version ?? ''}, this program has ${engine.name} ${engine.version}`;
  }
  const request = requireRequest(home.db, mission);
  const input = engineInput(
    request,
    mission.effort ?? { max_evaluations: 1 },
    storedResult(home.db, mission)?.warm_start ?? null,
  );
  if (needsSandbox) await requireCode(home, false);
  const requestText = needsSandbox ? requestTextOf(home.db, mission) : undefined;
  const answer = await run({ type: 'verify', kind, input, requestText, result, made });
  if (answer.type !== 'verified') return 'the verifier returned nothing';
  if (answer.result_hash !== mission.result_hash) return 'the stored result does not match its recorded hash';
  return answer.verification.passed ? null : (answer.verification.failure ?? 'a check failed');
}
