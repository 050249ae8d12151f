/**
 * Checks a result that the reference agent left in review by that agent's own rules. Only the members that those rules cover are checked;
 * the others are data under the result's hash.
 */
import type { JsonNode } from '../base/json.js';
import type { Verification } from '../engines/engine.js';
import { need, verified } from './claims.js';
import { isRoundedInteger, type ReferenceResult } from './reading.js';
import { missionKind, needsSandbox } from './table.js';
import type { Work } from './works.js';

/** @param result the text that the recorded hash covers, and its parse; both untrusted */
export const verifyReference = (work: Work, result: ReferenceResult): Verification =>
  verified((passed) => {
    refuseRounded(result.node, result.text);
    check(work, result).forEach(passed);
  });

/** Refuses integers that a double does not hold, because Python's integers have no limit and another value would be recorded. */
function refuseRounded(node: JsonNode, text: string): void {
  need(!isRoundedInteger(node, text), 'it holds an integer beyond 2^53 - 1');
  for (const inner of node.members?.values() ?? node.items ?? []) refuseRounded(inner, text);
}

function check(work: Work, result: ReferenceResult): readonly string[] {
  const { reference } = missionKind(work.kind);
  need(
    reference !== null,
    needsSandbox(work.kind)
      ? 'its code would have to run again as the reference agent ran it, which is not done here'
      : `the reference agent has no rules for ${work.kind} missions`,
  );
  return reference.check(work, result);
}

/** Returns the solution from which the search can start; null for a kind without warm starts and for a result that breaks its rules. */
export const referenceSolution = (work: Work, result: ReferenceResult): unknown =>
  verifyReference(work, result).passed ? (missionKind(work.kind).reference?.solution(work, result) ?? null) : null;
