/** Formats a mission for people: its record, the picture of its result, and the possible next steps. */
import { assistantMark } from '../base/assistant-mark.js';
import { search_budget_ms } from '../base/limits.js';
import { printable, shorten } from '../base/text.js';
import type { MissionRecord, RequestChange } from '../codec/api-missions.js';
import { kind as kindCodec } from '../codec/kinds.js';
import { helpAfter } from '../domain/mission.js';
import { roundedTime } from '../kinds/effort.js';
import { provenanceOf } from '../kinds/provenance.js';
import { missionKind } from '../kinds/table.js';
import { clip } from '../pictures/columns.js';
import { count, type Screen } from '../pictures/screen.js';
import type { Drawn } from '../pictures/picture.js';
import { kindContent } from '../reports/kinds/contents.js';
import { terminalLines } from '../reports/terminal.js';
import { canAsk } from './decide.js';
import { inputLines } from './inputs.js';
import { paymentPairs } from './invoices.js';
import { id_chars, type Pair, pairs, screen, stateText } from './table.js';
import { paint } from './text.js';

/** Returns whether a mission stays as it is until somebody acts on it. */
export const isSettled = ({ state }: MissionRecord): boolean => state !== 'queued' && state !== 'running';

/** Returns the lines of a mission and its possible next steps. */
export const missionLines = (mission: MissionRecord): string[] => [...recordLines(mission), ...nextLines(mission)];

/** Returns the same with the inputs before the result. */
export const wholeLines = (mission: MissionRecord): string[] => [
  ...recordLines(mission, inputLines(mission)),
  ...nextLines(mission),
];

/** Returns the lines of a mission and its result. @param inputs the lines before those of the result */
export const recordLines = (mission: MissionRecord, inputs: readonly string[] = []): string[] => [
  ...pairs([
    ['mission', mission.id],
    ['kind', mission.kind],
    ['goal', printable(mission.goal)],
    ['', mission.assistant === undefined ? null : `(${printable(assistantMark(mission.assistant))})`],
    ...filesPairs(mission.request),
    ...changesPairs(mission),
    ['state', `${stateText(mission.state)}${standing(mission)}`],
    ['entry', `${mission.revision} of the journal`],
    [
      'cannot start',
      mission.queue_reason === undefined ? null : `${printable(mission.queue_reason)}; it is tried again every minute`,
    ],
    ['attempt', String(mission.attempt)],
    ...estimatePairs(mission),
    ...knownPairs(mission),
    ...paymentPairs(mission),
  ]),
  ...inputs,
  ...failureLines(mission),
  ...resultLines(mission),
];

/** Returns what happened in the parts that failed, such as the cases of a code mission. */
function failureLines({ kind, stages }: MissionRecord): string[] {
  const failed = (missionKind(kind).failures?.(stages) ?? []).map(({ path, message }): Pair => [`  ${path}`, printable(message)]);
  return failed.length === 0 ? [] : ['', paint.out('bold', 'failures'), ...pairs(failed)];
}

/** Returns how long a queued mission will take, and what helps where that is more than a search may take. */
export function estimatePairs({ estimate, queue_position, id }: MissionRecord): Pair[] {
  if (estimate === undefined) return [];
  const { search_ms, evaluations_in_time: fitting } = estimate;
  const about: Pair = ['takes', `at most about ${roundedTime(search_ms)}`];
  if (fitting === undefined) return [about];
  const changed = `run --from ${id.slice(0, id_chars)} --effort ${fitting}${queue_position === undefined ? '' : ' --execute'}`;
  return [
    [
      'takes',
      `at most about ${roundedTime(search_ms)}; the search ends after ${roundedTime(search_budget_ms)} with the best result so far`,
    ],
    ['to end in time', `choose an effort of at most ${fitting.toLocaleString('en')}, as in ${changed}`],
  ];
}

const changes_shown_max = 10;

/** Returns the mission that a request was made from, and what was changed of it. */
function changesPairs({ derived_from, changes = [] }: MissionRecord): Pair[] {
  if (derived_from === null) return [];
  const lines = changes.slice(0, changes_shown_max).map(changeText);
  const left = changes.length - lines.length;
  return [
    ['made from', derived_from],
    ...[...lines, ...(left > 0 ? [`and ${count(left, 'more change')}`] : [])].map(
      (line, i): Pair => [i === 0 ? 'changed' : '', line],
    ),
  ];
}

/** Returns a change as people read it, such as `budget 100,000 → 120,000`. */
const changeText = ({ path, before, after }: RequestChange): string =>
  printable(`${path.replace(/^work\./, '')} ${valueText(before)} → ${valueText(after)}`);

const value_chars_max = 60;

function valueText(value: unknown): string {
  if (value === undefined) return '(none)';
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 12 })
    : shorten(typeof value === 'string' ? value : JSON.stringify(value), value_chars_max);
}

const files_max = 5;

/** Returns the files that the request was read from, and how many of its values a person changed afterwards. */
function filesPairs(request: unknown): Pair[] {
  const { files = [], changed = [] } = provenanceOf(request) ?? {};
  const pairsOf = files.slice(0, files_max).map(({ name, sheet, rows, sha256, reader, version }, i): Pair => {
    const named = name === undefined ? 'a file without a name' : printable(name);
    const parts = [
      ...(sheet === undefined ? [] : [`sheet ${printable(sheet)}`]),
      ...(rows === undefined ? [] : [count(rows, 'row')]),
      `${printable(reader)} ${version}`,
      `SHA-256 ${sha256.slice(0, 16)}…`,
    ];
    return [i === 0 ? 'read from' : '', `${named} (${parts.join(', ')})`];
  });
  const left = files.length - pairsOf.length;
  return [
    ...pairsOf,
    ['', left > 0 ? `and ${count(left, 'more file')}` : null],
    [
      'changed',
      changed.length === 0
        ? null
        : `${count(changed.length, 'value')} by hand: ${printable(changed.slice(0, 3).join(', '))}${changed.length > 3 ? ', …' : ''}`,
    ],
  ];
}

/** Returns the lines after a decision on a result that was shown just before. */
export function decidedLines(mission: MissionRecord): string[] {
  const { state, review, approvals = [], approvals_required = 0, unsigned } = mission;
  const last = approvals.at(-1);
  const approved = review?.approved ?? true;
  const name = printable(state === 'review' ? (last?.approver ?? '') : (review?.actor ?? ''));
  const counted = state === 'review' ? ` ${approvals.length} of ${approvals_required} approvals.` : '';
  const said = `${approved ? 'Approved' : 'Rejected'}.${counted} Recorded in the signed journal under the name "${name}".`;
  const worth = approved && last !== undefined ? `Signed with the key ${last.fingerprint}.` : unsigned;
  return [
    '',
    paint.out(approved ? 'green' : 'bold', said),
    ...(worth === undefined ? [] : [printable(worth)]),
    ...nextLines(mission),
  ];
}

/** Returns what a running mission's state does not say. */
function standing({ interrupted, late, queue_position }: MissionRecord): string {
  if (queue_position !== undefined) return ` (to be executed, place ${queue_position} in the queue)`;
  if (interrupted === true) return ' (interrupted: the process that executed it has ended)';
  return late === true ? ' (late: it has been executing for longer than its lease)' : '';
}

/** Returns the values that a record has only from a certain state on. */
function knownPairs({ stages, verification, review, error, engine, ...mission }: MissionRecord): Pair[] {
  const { passed, checks, failure } = verification ?? { passed: false, checks: [], failure: null };
  const decision = `${review?.approved === true ? 'approved' : 'rejected'} by ${printable(review?.actor ?? '')}`;
  return [
    ['engine', engine === null ? null : `${engine.name} ${engine.version}`],
    ...computedPairs(stages),
    ['stages', stages.length === 0 ? null : stages.map(({ role }) => role).join(' → ')],
    ['parent', mission.parent],
    ['result hash', mission.result_hash],
    ['verified', verification === null ? null : passed ? `yes, ${checks.length} checks` : `no: ${printable(failure ?? '')}`],
    ['recomputed', mission.recomputed === null ? 'no: another version of the engine made it; its claims were checked' : null],
    ['lease until', mission.lease_expires_at],
    ['error', error === null ? null : `${error.code}: ${printable(error.message)}`],
    ['review', review === null ? null : `${decision}: ${printable(review.note)}`],
    ...approvalPairs(mission),
    ['erased', mission.erased ? 'what was stored apart from the signed events was deleted' : null],
  ];
}

/** Returns who approved with which key, and how many must; or that no key of a person did. */
function approvalPairs({
  approvals = [],
  approvals_required = 0,
  unsigned,
}: Pick<MissionRecord, 'approvals' | 'approvals_required' | 'unsigned'>): Pair[] {
  const needed = approvals_required === 0 ? '' : ` of ${Math.max(approvals_required, approvals.length)}`;
  const signed = approvals.map(({ approver, title, fingerprint, at, key_removed_at }, i): Pair => {
    const who = `${approver}${title === null ? '' : ` (${printable(title)})`}`;
    const removed = key_removed_at === undefined ? '' : ', key removed later';
    return [`approval ${i + 1}${needed}`, `${who}, ${at}, ${fingerprint}${removed}`];
  });
  return [
    ...signed,
    ['approvals', approvals.length < approvals_required ? `${approvals.length} of ${approvals_required}` : null],
    ['signature', unsigned === undefined ? null : printable(unsigned)],
  ];
}

/** Returns the worker that searched and who computed its result again, from the strategy stage; nothing for a search on this machine. */
function computedPairs(stages: MissionRecord['stages']): Pair[] {
  const { execution } = stages.find(({ role }) => role === 'strategy')?.detail ?? {};
  if (typeof execution !== 'object' || execution === null || !('worker' in execution && 'checked_by' in execution)) return [];
  const { worker, checked_by } = execution;
  return [
    ['worker', printable(String(worker))],
    [
      'refuted' in execution ? 'refuted by' : 'checked by',
      checked_by === 'home' ? 'this machine' : printable(String(checked_by)),
    ],
  ];
}

/** The most characters of a member of a result that has no picture. */
const member_chars_max = 4_000;

/** Returns a member of a result, with spaces where lines may break. */
const memberText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  return shorten(printable(text), member_chars_max);
};

/** Returns a picture of the result; without one, its members as they are. */
export function resultLines(mission: DrawnMission): string[] {
  const { result } = mission;
  if (typeof result !== 'object' || result === null) return [];
  const { columns, glyphs } = screen();
  const drawn = picture(mission)?.map((line) => clip(line, columns, glyphs.more)) ?? null;
  if (drawn !== null) return ['', paint.out('bold', 'result'), ...drawn];
  const lines = Object.entries(result).map(([name, value]): Pair => [`  ${name}`, memberText(value)]);
  return lines.length === 0 ? [] : ['', paint.out('bold', 'result'), ...pairs(lines)];
}

function nextLines(mission: MissionRecord): string[] {
  const { id: full, state, revision, result_hash, error, next: command, queue_position, approvals_required = 0 } = mission;
  const id = full.slice(0, id_chars);
  const next: Readonly<Partial<Record<string, readonly string[]>>> = {
    queued: [`next: agent-cli ${queue_position === undefined ? 'execute' : 'watch'} ${id}`],
    review: canAsk()
      ? [`next: agent-cli review ${id}`]
      : [
          'next: look at the result (show --json prints all of it) and decide',
          `  agent-cli review ${id} --revision ${revision} \\`,
          `    --result-hash ${result_hash ?? ''} \\`,
          `    --approve --note "YOUR REASON"${approvals_required > 0 ? ' --sign KEYFILE' : ''}`,
        ],
    completed: [`next: agent-cli export ${id} --output ${id}.export.json`],
    failed: [`next: ${helpAfter({ id, error })}`],
    ...(command === undefined ? {} : { running: [`next: ${command}`] }),
  };
  const lines = next[state];
  return lines === undefined || mission.request === null ? [] : ['', ...lines];
}

export interface DrawnMission extends Drawn {
  readonly kind: string;
}

/** Returns what a terminal shows of a result; null for a result of another shape. */
export function picture(mission: DrawnMission, on: Screen = screen()): string[] | null {
  const { kind, goal, request, result } = mission;
  if (!kindCodec.is(kind)) return null;
  const content = kindContent(kind, request ?? { goal }, result);
  return content && terminalLines(content, missionKind(kind).chart?.(mission, on) ?? [], on);
}
