/** The human decision. The result is verified again before the decision is recorded; approval archives it and does nothing else. */
import * as E from 'fp-ts/lib/Either.js';
import { review_note_chars_max } from '../base/limits.js';
import { invalid } from '../base/refusal.js';
import type { Result } from '../base/result.js';
import { decideReview } from '../domain/mission-decide.js';
import { engineInput, engineOf } from './engines.js';
import { runOnThread, type RunEngine } from './engine-thread.js';
import type { Home } from './home.js';
import { change, circumstances } from './missions.js';
import { requireMission, requireRequest, signedMission, storedResult, type MissionRecord } from './mission-store.js';
import type { Mission } from '../codec/record.js';

export interface ReviewOptions {
  readonly revision: number;
  readonly result_hash: string;
  readonly approve: boolean;
  readonly note: string;
  readonly actor: string;
  readonly runEngine?: RunEngine | undefined;
}

/** Stands while the mission is not the one looked at; should it become that meanwhile, it is not approved unseen. */
const notReverified = 'the mission changed while it was looked at';

export async function reviewMission(home: Home, id: string, given: ReviewOptions): Promise<Result<MissionRecord>> {
  const { runEngine: run = runOnThread, ...options } = given;
  if (options.note.trim() === '' || options.note.length > review_note_chars_max || !options.note.isWellFormed()) {
    return E.left(invalid('note', `must have 1 to ${review_note_chars_max} characters and not be blank`));
  }
  const mission = requireMission(home.db, id);
  const stored = storedResult(home.db, mission);
  const result = stored?.result ?? null;
  const isCurrent = mission.state === 'review' && mission.revision === options.revision;
  if (isCurrent) signedMission(home.db, mission);
  const failure = isCurrent ? await reverify(home, mission, result, run) : notReverified;
  return change(home, id, (tx, current) =>
    decideReview(
      current,
      {
        ...options,
        failure,
        completed: {
          result: result as Readonly<Record<string, unknown>>,
          kind: current.kind,
          goal: current.goal,
          request_hash: current.request_hash,
          ...(current.engine === null ? {} : { engine: current.engine }),
          ...(current.effort === null ? {} : { effort: current.effort }),
          warm_start: stored?.warm_start ?? null,
          parent: current.parent,
          parent_digest: current.parent_digest,
        },
      },
      circumstances(tx, options.actor),
    ),
  );
}

/** Why the result does not hold up now, or null. */
async function reverify(home: Home, mission: Mission, result: unknown, run: RunEngine): Promise<string | null> {
  const engine = engineOf(mission.kind);
  if (engine === null) return `there is no verifier for ${mission.kind} missions`;
  if (mission.engine?.version !== engine.version || mission.engine.name !== engine.name) {
    return `it was made by ${mission.engine?.name ?? 'an unknown engine'} ${mission.engine?.version ?? ''}, this program has ${engine.name} ${engine.version}`;
  }
  const request = requireRequest(home.db, mission);
  const input = engineInput(request, mission.effort?.max_evaluations ?? 1, storedResult(home.db, mission)?.warm_start ?? null);
  const answer = await run({ type: 'verify', kind: mission.kind, input, result });
  if (answer.type !== 'verified') return 'the verifier gave no answer';
  if (answer.result_hash !== mission.result_hash) return 'the stored result does not match its recorded hash';
  return answer.verification.passed ? null : (answer.verification.failure ?? 'a check failed');
}
