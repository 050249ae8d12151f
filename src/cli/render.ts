/** Lines for people, under 100 columns. */
import type { MissionRecord } from '../app/mission-store.js';
import type { MissionPage } from '../app/missions.js';
import { paint, type Colour } from './paint.js';

const colours: Readonly<Record<string, Colour>> = {
  queued: 'grey',
  running: 'blue',
  review: 'yellow',
  completed: 'green',
  rejected: 'grey',
  failed: 'red',
};

export const stateText = (state: string): string => paint.out(colours[state] ?? 'grey', state);

export const shorten = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

/** Aligned `name  value` lines. */
export function pairs(entries: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${paint.out('bold', name.padEnd(width))}  ${value}`);
}

const goal_columns = 44;

export function missionTable(items: MissionPage['items']): string[] {
  const head = `${'mission'.padEnd(36)}  ${'kind'.padEnd(10)}  ${'state'.padEnd(9)}  goal`;
  return [
    paint.out('bold', head),
    ...items.map(
      ({ id, kind, state, goal }) =>
        `${id}  ${kind.padEnd(10)}  ${stateText(state)}${' '.repeat(Math.max(0, 9 - state.length))}  ${shorten(goal, goal_columns).replaceAll('\n', ' ')}`,
    ),
  ];
}

/** What a mission is and what may be done with it next. */
export function missionLines(mission: MissionRecord): string[] {
  const optional: (readonly [string, string])[] = [
    ...(mission.result_hash === null ? [] : [['result hash', mission.result_hash] as const]),
    ...(mission.verification === null
      ? []
      : [
          [
            'verified',
            mission.verification.passed ? mission.verification.checks.join('; ') : (mission.verification.failure ?? 'no'),
          ] as const,
        ]),
    ...(mission.lease_expires_at === null ? [] : [['lease until', mission.lease_expires_at] as const]),
    ...(mission.error === null ? [] : [['error', `${mission.error.code}: ${mission.error.message}`] as const]),
    ...(mission.review === null
      ? []
      : [
          [
            'review',
            `${mission.review.approved ? 'approved' : 'rejected'} by ${mission.review.actor}: ${shorten(mission.review.note, 60)}`,
          ] as const,
        ]),
    ...(mission.erased ? [['erased', 'input and result were deleted; the signed events remain'] as const] : []),
  ];
  return [
    ...pairs([
      ['mission', mission.id],
      ['kind', mission.kind],
      ['goal', shorten(mission.goal.replaceAll('\n', ' '), 80)],
      ['state', stateText(mission.state)],
      ['revision', String(mission.revision)],
      ['attempt', String(mission.attempt)],
      ...optional,
    ]),
    ...resultLines(mission),
    ...nextLines(mission),
  ];
}

const plain = (value: unknown): string | null =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? shorten(String(value), 74) : null;

/** The result's own figures: its members that are single values, and how long its lists are. */
function resultLines({ result }: MissionRecord): string[] {
  if (typeof result !== 'object' || result === null) return [];
  const lines = Object.entries(result).flatMap(([name, value]): (readonly [string, string])[] => {
    const text = plain(value);
    if (text !== null) return [[`  ${name}`, text]];
    return Array.isArray(value) ? [[`  ${name}`, `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`]] : [];
  });
  return lines.length === 0 ? [] : ['', paint.out('bold', 'result'), ...pairs(lines)];
}

function nextLines({ id, state, revision, result_hash }: MissionRecord): string[] {
  const next: Readonly<Partial<Record<string, string>>> = {
    queued: `agent-cli execute ${id}`,
    review: `agent-cli review ${id} --revision ${revision} --result-hash ${result_hash ?? ''} --approve --note "…"`,
    completed: `agent-cli export ${id} --output ${id.slice(0, 8)}.export.json`,
    failed: `agent-cli recover ${id}`,
  };
  const command = next[state];
  return command === undefined ? [] : ['', `next: ${command}`];
}
