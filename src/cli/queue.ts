/** What `run` queues: a mission file, or the mission that is made of other files. */
import { Flags } from '@oclif/core';
import type { Home } from '../app/home/home.js';
import { RefusalError, unwrap } from '../base/refusal.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { decode } from '../codec/kit.js';
import { missionRequest, type MissionRequest } from '../kinds/request.js';
import { canAsk } from './decide.js';
import { makeMission, understoodLines } from './intake.js';
import { missing } from './usage.js';
import { intakeFlags, type IntakeFlags, intakeOptions, memberOf, type ReadKind, valueOf } from './intake-flags.js';

/** Queues what was read before the home was opened. */
export interface MissionInput {
  readonly request: MissionRequest;
  readonly queue: (home: Home, requestId: string | undefined, actor: string) => Promise<MissionRecord>;
}

export const effortFlag = Flags.string({
  description: 'how long to search, in place of what the mission says: quick, normal, thorough, or a number of evaluations',
  helpValue: 'EFFORT',
});

interface QueueFlags extends IntakeFlags {
  readonly kind?: string | undefined;
  /** The mission whose request is changed. */
  readonly from?: string | undefined;
  readonly effort?: string | undefined;
}

/** Returns a request with the effort of the command in place of its own. @throws RefusalError `invalid` */
const withEffort = (request: MissionRequest, { effort }: QueueFlags): MissionRequest =>
  effort === undefined ? request : unwrap(decode(missionRequest, { ...request, effort: valueOf(effort) }));

/**
 * Reads the files, or for `--from` nothing before the home is open.
 * @param say prints a line for people; null where nobody reads it, who then is not asked either
 */
export async function queueOf(
  named: readonly string[],
  flags: QueueFlags,
  say: ((line: string) => void) | null,
): Promise<(home: Home) => Promise<MissionInput>> {
  const { from } = flags;
  if (from !== undefined) return (home) => queueFrom(home, from, flags, named);
  if (named.length === 0) throw new RefusalError('invalid', missing(['FILE']), { hint: 'agent-cli run --help' });
  const read = await readFiles(named, flags, say);
  return async () => read;
}

async function readFiles(
  named: readonly string[],
  flags: QueueFlags,
  say: ((line: string) => void) | null,
): Promise<MissionInput> {
  const { kind } = flags;
  if (kind === undefined) return fromMissionFile(named, flags);
  const [{ inputFiles }, { submitMission }] = await Promise.all([
    import('../app/intake/input.js'),
    import('../app/missions/submit.js'),
  ]);
  const files = inputFiles(named);
  const made = await makeMission(kind as ReadKind, files, intakeOptions(flags), say !== null && canAsk());
  if (say !== null) for (const line of [...understoodLines(made, files), '']) say(line);
  const request = withEffort(made.request, flags);
  return { request, queue: async (home, requestId, actor) => (await submitMission(home, request, requestId, actor)).record };
}

/** Reads the mission that is made by changing the request of another one. @throws RefusalError `invalid` for flags that only files need */
async function queueFrom(home: Home, from: string, flags: QueueFlags, named: readonly string[]): Promise<MissionInput> {
  const { set = [], ...rest } = flags;
  const others: Readonly<Record<string, unknown>> = rest;
  const flag = ['kind', ...Object.keys(intakeFlags)].find((name) => others[name] !== undefined);
  if (flag !== undefined || named.length > 0) {
    const detail = `--from takes a mission of this home, and no ${flag === undefined ? 'file' : `--${flag}`}`;
    throw new RefusalError('invalid', detail, { hint: 'agent-cli run --help' });
  }
  const [{ missionNamed }, { changedRequest, submitMission }] = await Promise.all([
    import('../app/missions/record.js'),
    import('../app/missions/submit.js'),
  ]);
  const id = missionNamed(home.db, from);
  const request = withEffort(changedRequest(home.db, id, set.map(memberOf)), flags);
  return {
    request,
    queue: async (at, requestId, actor) => (await submitMission(at, request, requestId, actor, { derivedFrom: id })).record,
  };
}

/** @throws RefusalError `invalid` for several files, and for flags that only other files need */
async function fromMissionFile([file = '', second]: readonly string[], flags: QueueFlags): Promise<MissionInput> {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const flag = Object.keys(intakeFlags).find((name) => given[name] !== undefined);
  const needing =
    second === undefined ? flag && `--${flag} needs --kind${flag === 'set' ? ' or --from' : ''}` : 'several files need --kind';
  if (needing !== undefined) throw new RefusalError('invalid', needing, { hint: 'agent-cli run --help' });
  const { readMissionFile, submitMission } = await import('../app/missions/submit.js');
  const request = withEffort(readMissionFile(file).request, flags);
  return { request, queue: async (home, requestId, actor) => (await submitMission(home, request, requestId, actor)).record };
}
