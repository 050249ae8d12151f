/** Clients that submit, execute and review missions and run simulations, whatever happens to the daemon, and what was acknowledged to them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { entriesOf } from '../support/crash/crash-sandbox.js';
import { minimal } from '../support/codec/mission-samples.js';
import { ask, type Asked } from './probe.js';
import { simulation_token, type Target } from './real-daemon.js';

/** What clients read of a mission's record. */
export interface Shown {
  readonly id: string;
  readonly state: string;
  readonly interrupted?: true;
  readonly revision: number;
  readonly result_hash: string | null;
}

export const isOk = ({ status }: Asked): boolean => status >= 200 && status < 300;
export const shownIn = ({ text }: Asked): Shown => JSON.parse(text) as Shown;

/** Returns the detail of a problem document, or the text itself. */
export function detailOf({ status, text }: Asked): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: string };
    return detail ?? text;
  } catch {
    return status === 0 ? `no response (${text})` : text;
  }
}

const kinds = ['allocation', 'schedule', 'forecast', 'research'] as const;
const refused_ms = 200;
/** Time between two tries to have a place among the executions. */
const place_ms = 20;

export class Load {
  private readonly acknowledged = new Acknowledged();
  private readonly clients: Promise<void>[] = [];
  private isOver = false;
  private pause_ms = 0;
  /** The number of missions that were taken from submission to review. */
  finished = 0;

  /** @param target returns the daemon that is there at the moment */
  constructor(private readonly target: () => Target) {}

  /** @param pause_ms between two missions of a client */
  begin(missionClients: number, pause_ms: number): void {
    this.pause_ms = pause_ms;
    for (let n = 0; n < missionClients; n++)
      this.clients.push(this.repeat((turn) => this.mission(kinds[(n + turn) % kinds.length])));
    this.clients.push(this.repeat(() => this.simulation()));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
  }

  get steps(): number {
    return this.acknowledged.steps;
  }

  /** Returns how many acknowledged steps the journal lacks, and how many entries it has twice. */
  check(home: string): ReturnType<Acknowledged['check']> {
    return this.acknowledged.check(home);
  }

  private async repeat(act: (turn: number) => Promise<boolean>): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) await sleep((await act(turn)) ? this.pause_ms : refused_ms);
  }

  /** Takes a mission from submission to review; one whose submission was not acknowledged is submitted again. */
  private async mission(kind: (typeof kinds)[number] = 'allocation'): Promise<boolean> {
    const id = randomUUID();
    const body = minimal(kind);
    while (!isOk(await this.post('/api/missions', body, { 'Idempotency-Key': id }))) {
      if (this.isOver) return false;
      await sleep(refused_ms);
    }
    this.acknowledged.add(id, 'submitted');
    const executed = await executedIn(this.target, id, () => this.isOver);
    if (!isOk(executed)) return false;
    this.acknowledged.add(id, 'executed');
    if (!isOk(await this.post(`/api/missions/${id}/review`, decisionOn(shownIn(executed))))) return false;
    this.acknowledged.add(id, 'reviewed');
    this.finished++;
    return true;
  }

  private async simulation(): Promise<boolean> {
    const key = randomUUID();
    for (;;) {
      const { simulation } = this.target();
      const answer = await ask(`${simulation}simulate`, 'POST', simulation_token, { seed: 1 }, { 'Idempotency-Key': key });
      if (isOk(answer)) {
        this.acknowledged.add(shownIn(answer).id, 'requested');
        return true;
      }
      if (this.isOver) return false;
      await sleep(refused_ms);
    }
  }

  private post(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
    return post(this.target(), path, body, headers);
  }
}

export const decisionOn = ({ revision, result_hash }: Shown, approve = true): unknown => ({
  revision,
  result_hash,
  approve,
  note: approve ? 'fits' : 'does not fit',
});

export const post = (
  { operator, token }: Target,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> => ask(operator + path.slice(1), 'POST', token, body, headers);
export const get = ({ operator, token }: Target, path: string): Promise<Asked> => ask(operator + path.slice(1), 'GET', token);

/** Executes a mission once there is a place for it; returns the last response. */
export async function executedIn(target: () => Target, id: string, isOver: () => boolean): Promise<Asked> {
  for (;;) {
    const answer = await post(target(), `/api/missions/${id}/execute?wait=1`);
    if (isOver() || !isInUse(answer)) return answer;
    await sleep(place_ms);
  }
}

/** Whether other missions have every place of an execution. */
const isInUse = ({ status, text }: Asked): boolean => status === 409 && text.includes('"in_use"');

/** Takes one mission from submission to review. Returns why it was refused, or null. */
export async function tryMission(target: Target): Promise<string | null> {
  const submitted = await post(target, '/api/missions', minimal('allocation'));
  if (!isOk(submitted)) return detailOf(submitted);
  const executed = await executedIn(
    () => target,
    shownIn(submitted).id,
    () => false,
  );
  if (!isOk(executed)) return detailOf(executed);
  const reviewed = await post(target, `/api/missions/${shownIn(executed).id}/review`, decisionOn(shownIn(executed)));
  return isOk(reviewed) ? null : detailOf(reviewed);
}

/** Submits a mission and begins to execute it. Returns its id. @throws an error with the refusal's text */
export async function begun(target: Target, mission: unknown): Promise<string> {
  const submitted = await post(target, '/api/missions', mission);
  if (!isOk(submitted)) throw new Error(detailOf(submitted));
  const { id } = shownIn(submitted);
  let answer = await post(target, `/api/missions/${id}/execute`);
  while (isInUse(answer)) {
    await sleep(place_ms);
    answer = await post(target, `/api/missions/${id}/execute`);
  }
  // It is in the queue at first, and begins by itself when a place is free.
  while (isOk(answer) && shownIn(answer).state === 'queued') {
    await sleep(place_ms);
    answer = await get(target, `/api/missions/${id}`);
  }
  if (!isOk(answer)) throw new Error(detailOf(answer));
  return id;
}

/** The entry that each acknowledged step has in the journal. */
const entryOf = {
  submitted: 'mission.submitted',
  executed: 'mission.produced',
  reviewed: 'mission.completed',
  rejected: 'mission.rejected',
  requested: 'simulation.requested',
} as const;

type Step = keyof typeof entryOf;

/** An execution may be recorded again after an interruption. */
const once = ['submitted', 'reviewed', 'rejected', 'requested'] as const;

/** The streams of missions are named by their ids, those of runs with a prefix. */
const streamOf = (id: string, step: Step): string => (step === 'requested' ? `@simulation:${id}` : id);

export class Acknowledged {
  private readonly known = new Map<string, readonly Step[]>();

  add(id: string, step: Step): void {
    this.known.set(id, [...(this.known.get(id) ?? []), step]);
  }

  get steps(): number {
    return [...this.known.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Ids of missions or runs that came to a step. */
  idsAt(step: Step): readonly string[] {
    return [...this.known].flatMap(([id, steps]) => (steps.includes(step) ? [id] : []));
  }

  /** Returns how many acknowledged steps the journal lacks, and how many entries it has twice. */
  check(home: string): { readonly lost: number; readonly doubled: number } {
    // As they are before the journal is read, which may be after further steps.
    const known = new Map(this.known);
    const counts = new Map<string, number>();
    for (const { stream, type } of entriesOf(home)) counts.set(`${stream} ${type}`, (counts.get(`${stream} ${type}`) ?? 0) + 1);
    let [lost, doubled] = [0, 0];
    for (const [id, steps] of known) {
      for (const step of steps) if (!counts.has(`${streamOf(id, step)} ${entryOf[step]}`)) lost++;
      for (const step of once) if ((counts.get(`${streamOf(id, step)} ${entryOf[step]}`) ?? 0) > 1) doubled++;
    }
    return { lost, doubled };
  }
}
