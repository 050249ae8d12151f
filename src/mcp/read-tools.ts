/** The tools that read: missions, their results once they are approved, and proofs. */
import { isPaused } from '../app/control/control.js';
import type { Home } from '../app/home/home.js';
import { shownToAssistant } from '../app/missions/assistants.js';
import { listPageInParts, showMission } from '../app/missions/missions.js';
import { search_chars_max } from '../base/limits.js';
import type { MissionItem, MissionRecord } from '../codec/api-missions.js';
import { failsAgain } from '../codec/events/mission.js';
import { kind } from '../codec/kinds.js';
import { described, integer, object, optional, required, text } from '../codec/kit.js';
import { missionState, stateWords } from '../codec/record.js';
import { missionNamed } from '../app/missions/record.js';
import type { Assistant } from './assistant.js';
import { textOf, tool } from './tool.js';

export const missionId = described(
  'the id of the mission, as mission_submit and mission_list return it, or its first 4 characters or more',
  required(text({ min: 4, max: 36 })),
);

const missionList = tool({
  name: 'mission_list',
  title: 'List missions',
  description:
    'Lists missions, the most recently changed first: id, kind, goal, state, revision. States: queued (nobody has executed it yet), running, ' +
    'review (a person must approve or reject its result), completed (approved), rejected, failed.',
  readOnly: true,
  input: object('MissionListArguments', {
    state: described('only missions in this state', optional(missionState)),
    kind: described('only missions of this kind', optional(kind)),
    text: described('part of a goal, or the beginning of an id', optional(text({ min: 1, max: search_chars_max }))),
    limit: described('how many; 20 unless given', optional(integer(1, 50))),
    cursor: described('the next_cursor of the page before', optional(text({ pattern: /^[1-9][0-9]{0,15}$/ }))),
  }),
  run: ({ text: q, limit = 20, ...narrowing }, { assistant }) =>
    assistant.withHome(async (home) => {
      const page = await listPageInParts(home, { ...narrowing, q, limit });
      const lines = page.items.map(({ id, kind, state, goal }: MissionItem) => `${id} ${state} ${kind}: ${goal}`);
      if (lines.length === 0) lines.push(page.next_cursor === null ? 'no missions' : 'no match in this part of the missions');
      const more = page.next_cursor === null ? [] : [`more with cursor ${page.next_cursor}`];
      return { text: textOf([...lines, ...more]), document: page };
    }),
});

const missionGet = tool({
  name: 'mission_get',
  title: 'Show a mission',
  description:
    'Returns where a mission stands and what happens next: its state, its place in the queue, why it failed, who approved or rejected it and why. ' +
    'It never holds the result: mission_result returns that once a person has approved it.',
  readOnly: true,
  input: object('MissionGetArguments', { id: missionId }),
  run: ({ id }, { assistant }) =>
    assistant.withHome((home) =>
      Promise.resolve(standingAnswer(assistant, home, showMission(home, missionNamed(home.db, id, 'id')))),
    ),
});

/** Returns where a mission stands, without its result and inputs. */
function standingOf(assistant: Assistant, home: Home, record: MissionRecord) {
  const { id, kind, goal, state, revision, created_at, updated_at, queue_position, queue_reason, error, erased } = record;
  const review = decisionOf(record);
  const page = assistant.pageOf(id);
  return {
    id,
    kind,
    goal,
    state,
    revision,
    created_at,
    updated_at,
    ...(queue_position === undefined ? {} : { queue_position }),
    ...(queue_reason === undefined ? {} : { queue_reason }),
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(review === null ? {} : { review }),
    ...(erased ? { erased } : {}),
    ...(record.result_hidden === true ? { result_hidden: true } : {}),
    ...(page === null ? {} : { page }),
    next: nextOf(assistant, home, record),
  };
}

/** Returns who decided and why, and what an approval is worth: the keys that signed it, or that only the home recorded it. */
export function decisionOf({ review, approvals = [], unsigned }: MissionRecord) {
  if (review === null) return null;
  const { approved, actor, note } = review;
  const signed = unsigned ?? approvals.map(({ approver, fingerprint }) => `signed by ${approver} with ${fingerprint}`).join(', ');
  return { approved, by: actor, note, ...(approved ? { signature: signed } : {}) };
}

export const decisionText = ({ approved, by, note, signature }: NonNullable<ReturnType<typeof decisionOf>>): string =>
  `${approved ? 'approved' : 'rejected'} by ${by}${signature === undefined ? '' : ` (${signature})`}: ${note}`;

/** Returns what happens next, and who does it. */
function nextOf(
  assistant: Assistant,
  home: Home,
  { id, state, execution_request, queue_reason, error, erased }: MissionRecord,
): string {
  const page = assistant.pageOf(id);
  const where = `${assistant.homeFlag}${page === null ? '' : ` (or ${page})`}`;
  switch (state) {
    case 'queued':
      if (execution_request === null) return `a person executes it: agent-cli execute ${id}${where}`;
      if (!assistant.isServed(home))
        return `nothing executes it before a person starts the daemon: agent-cli serve${assistant.homeFlag}`;
      if (isPaused(home)) return `nothing executes it before a person resumes the agent: agent-cli resume${assistant.homeFlag}`;
      if (queue_reason !== undefined)
        return `it cannot start now: ${queue_reason}. A person can change that; it is tried again every minute`;
      return 'it is executed as soon as a place is free; call mission_result to wait';
    case 'running':
      return 'it is executing; call mission_result to wait';
    case 'review':
      return `a person must approve or reject its result: agent-cli review ${id}${where}`;
    case 'completed':
      return 'it is approved: mission_result returns the result, proof_get its proof';
    case 'rejected':
      return 'a person rejected it; the note says why. Submit a changed mission';
    case 'failed':
      if (erased || failsAgain(error))
        return `${erased ? 'its input was erased' : 'the same input would fail again'}: submit a changed mission`;
      return `a person can queue it again: agent-cli recover ${id}${where}. Or submit a changed mission`;
  }
}

export function standingAnswer(assistant: Assistant, home: Home, record: MissionRecord) {
  const document = standingOf(assistant, home, shownToAssistant(record));
  const { id, kind, state, goal, next } = document;
  const failed = 'error' in document ? [`error: ${document.error.code}: ${document.error.message}`] : [];
  const decided = 'review' in document ? [`review: ${decisionText(document.review)}`] : [];
  return {
    text: textOf([`mission ${id} (${kind}) is ${stateWords(state)}: ${goal}`, ...failed, ...decided, `next: ${next}`]),
    document,
  };
}

export const readTools = [missionList, missionGet];
