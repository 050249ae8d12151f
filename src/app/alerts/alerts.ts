/**
 * Alerts: what they are raised for, their texts, and their way to the console and the webhook. A text has no goal, note, input or secret: only
 * names, ids, codes and numbers.
 */
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { alerts_kept_max, disk_free_bytes_min } from '../../base/limits.js';
import { refusedSetting } from '../../base/setting.js';
import { formatTime } from '../../base/time.js';
import type { Alert, Alerts as AlertsDocument, AlertType } from '../../codec/api-alerts.js';
import type { Role } from '../../codec/roles.js';
import { postWebhook, readWebhook, webhookBody } from '../../webhook/post.js';

/** Time for one try to send an alert. */
const alert_ms_max = 5_000;
export const alert_tries_max = 3;
/** Pause after the first failed try; each further pause is four times as long. */
const alert_pause_ms = 1_000;
/** The same alert again within this time is counted and not sent. */
const alert_repeat_ms = 600_000;
/** Alerts that are sent within `alert_window_ms`; further ones wait. */
const alerts_per_window_max = 10;
const alert_window_ms = 60_000;
/** Alerts that wait to be sent; further ones are shown and not sent. */
const alerts_waiting_max = 20;
/** Share of 429 among the responses of a minute beyond which there is an alert. */
const alert_refused_share_max = 0.05;
const alert_responses_ms = 60_000;
/** Time that a stop waits for alerts to be sent. */
const alert_stop_ms_max = 2_000;
/** Time between two looks at the free space. */
const alert_disk_look_ms = 60_000;

export type AlertCause =
  | { readonly type: 'agent_restarted'; readonly role: Role; readonly restarts: number }
  | { readonly type: 'mission_interrupted'; readonly id: string }
  | { readonly type: 'run_failed'; readonly id: string; readonly code: string }
  | { readonly type: 'responses_refused'; readonly server: string; readonly refused: number; readonly responses: number }
  | { readonly type: 'journal_failed' }
  | { readonly type: 'config_failed' }
  | { readonly type: 'disk_low'; readonly free_bytes: number }
  | { readonly type: 'notice_failed'; readonly kind: string };

export type Raise = (raised: AlertCause) => void;

type TextOf = { readonly [K in AlertType]: (raised: Extract<AlertCause, { type: K }>) => string };
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;

const texts: TextOf = {
  agent_restarted: ({ role, restarts }) => `the ${role} agent was restarted (restart ${restarts})`,
  mission_interrupted: ({ id }) =>
    `mission ${id} was interrupted while it was executing. Queue it again with agent-cli recover ${id}`,
  run_failed: ({ id, code }) => `simulation run ${id} failed: ${code}`,
  responses_refused: ({ server, refused, responses }) =>
    `${percent(refused, responses)} of the responses of the ${server} server within a minute were 429 (${refused} of ${responses})`,
  journal_failed: () =>
    'the journal failed its verification; only pauses, failures, cancellations and revocations of tokens are recorded. Run agent-cli verify',
  config_failed: () =>
    'config.json is not the signed configuration; only pauses, failures, cancellations and revocations of tokens are recorded. Run agent-cli configure --restore-signed',
  disk_low: ({ free_bytes }) => `the disk of the home is nearly full: ${Math.floor(free_bytes / 1_048_576)} MiB are free`,
  notice_failed: ({ kind }) => `a notice (${kind}) could not be delivered to its webhook in five tries`,
};

export const textOf = (raised: AlertCause): string =>
  `agent-cli: ${(texts[raised.type] as (raised: AlertCause) => string)(raised)}`;

/** Returns what makes two alerts the same one. */
export function keyOf(raised: AlertCause): string {
  switch (raised.type) {
    case 'agent_restarted':
      return `${raised.type} ${raised.role}`;
    case 'mission_interrupted':
    case 'run_failed':
      return `${raised.type} ${raised.id}`;
    case 'responses_refused':
      return `${raised.type} ${raised.server}`;
    case 'journal_failed':
    case 'config_failed':
    case 'disk_low':
    case 'notice_failed':
      return raised.type;
  }
}

/** Returns the address to which alerts are sent, or null. @throws RefusalError `invalid`, which repeats nothing of it */
export function alertSettings(env: Readonly<Record<string, string | undefined>>): URL | null {
  const text = env['ALERT_WEBHOOK_URL'];
  if (text === undefined || text === '') return null;
  const read = readWebhook(text);
  if (typeof read === 'string') throw refusedSetting('ALERT_WEBHOOK_URL', read);
  return read;
}

interface AlertEntry extends Omit<Alert, 'count' | 'delivery'> {
  count: number;
  delivery: Alert['delivery'];
  readonly key: string;
  readonly raised_ms: number;
}

export interface AlertsOptions {
  readonly webhook: URL | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onWarning: (message: string) => void;
  /** Called with each alert that is not a repetition. */
  readonly onRaised?: (type: AlertType) => void;
  readonly limits?: Partial<typeof usual>;
}

const usual = {
  ms_max: alert_ms_max,
  pause_ms: alert_pause_ms,
  repeat_ms: alert_repeat_ms,
  window_ms: alert_window_ms,
  per_window_max: alerts_per_window_max,
  waiting_max: alerts_waiting_max,
  stop_ms_max: alert_stop_ms_max,
};

/**
 * The alerts of a daemon: kept for the console, and sent to a webhook one after another. Raising one never waits and never throws;
 * the same alert again is counted, and the number sent per minute is limited.
 */
export class Alerts {
  /** The oldest first. */
  private readonly kept: AlertEntry[] = [];
  private readonly waiting: AlertEntry[] = [];
  private sentAt: number[] = [];
  private sending: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private readonly limits: typeof usual;

  constructor(private readonly options: AlertsOptions) {
    this.limits = { ...usual, ...options.limits };
  }

  /** Raises an alert: keeps it, and sends it unless the same one was raised a short time ago. */
  readonly raise: Raise = (raised) => {
    if (this.stopping.signal.aborted) return;
    const [key, now] = [keyOf(raised), performance.now()];
    const same = this.kept.findLast((alert) => alert.key === key && now - alert.raised_ms < this.limits.repeat_ms);
    if (same !== undefined) {
      same.count++;
      return;
    }
    const time = formatTime(this.options.clock());
    const alert: AlertEntry = { type: raised.type, text: textOf(raised), time, count: 1, delivery: 'shown', key, raised_ms: now };
    this.kept.push(alert);
    if (this.kept.length > alerts_kept_max) this.kept.shift();
    this.options.onRaised?.(raised.type);
    const { webhook } = this.options;
    if (webhook === null) return;
    alert.delivery = this.waiting.length < this.limits.waiting_max ? 'waiting' : 'dropped';
    if (alert.delivery === 'dropped') return;
    this.waiting.push(alert);
    this.sending ??= this.sendAll(webhook).finally(() => (this.sending = null));
  };

  readonly document = (): AlertsDocument => ({
    webhook: this.options.webhook !== null,
    items: this.kept.toReversed().map(({ type, text, time, count, delivery }) => ({ type, text, time, count, delivery })),
  });

  /** Waits a short time for what was raised to be sent, among it the runs that the stop has interrupted; then sends nothing more. */
  readonly stop = async (): Promise<void> => {
    const over = new AbortController();
    const late = sleep(this.limits.stop_ms_max, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.sending, late]);
    over.abort();
    this.stopping.abort();
    await this.sending;
  };

  private async sendAll(webhook: URL): Promise<void> {
    for (let alert = this.waiting[0]; alert !== undefined; alert = this.waiting[0]) {
      await this.pause(this.wait_ms());
      if (this.stopping.signal.aborted) return;
      this.sentAt.push(performance.now());
      alert.delivery = (await this.send(webhook, alert)) ? 'sent' : 'failed';
      this.waiting.shift();
    }
  }

  /** Returns the time until one more may be sent. */
  private wait_ms(): number {
    const now = performance.now();
    const { per_window_max, window_ms } = this.limits;
    this.sentAt = this.sentAt.filter((at) => at > now - window_ms);
    return this.sentAt.length < per_window_max ? 0 : (this.sentAt[0] ?? now) + window_ms - now;
  }

  private async send(webhook: URL, { text }: AlertEntry): Promise<boolean> {
    const { ms_max, pause_ms } = this.limits;
    const { signal } = this.stopping;
    for (let tries = 1; ; tries++) {
      const posted = await postWebhook(webhook, webhookBody(webhook, text), ms_max, signal);
      if (posted === 'sent') return true;
      if (signal.aborted) return false;
      if (posted.isFinal || tries >= alert_tries_max) {
        this.options.onWarning(`an alert could not be sent to the webhook (${posted.failed}): ${text}`);
        return false;
      }
      await this.pause(pause_ms * 4 ** (tries - 1));
    }
  }

  private async pause(ms: number): Promise<void> {
    const { signal } = this.stopping;
    if (ms > 0 && !signal.aborted) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}

export interface Watch {
  readonly stop: () => void;
}

/** Counts the responses of a server, minute by minute. */
export class Responses implements Watch {
  private responses = 0;
  private refused = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly server: string,
    private readonly raise: Raise,
    minute_ms: number = alert_responses_ms,
  ) {
    this.timer = setInterval(() => this.conclude(), minute_ms).unref();
  }

  readonly count = (status: number): void => {
    this.responses++;
    if (status === 429) this.refused++;
  };

  readonly stop = (): void => clearInterval(this.timer);

  private conclude(): void {
    const { server, refused, responses } = this;
    this.refused = this.responses = 0;
    if (refused > alert_refused_share_max * responses) this.raise({ type: 'responses_refused', server, refused, responses });
  }
}

interface DiskOptions {
  readonly look_ms?: number;
  /** Returns the free space on the disk of a directory. */
  readonly freeBytes?: (directory: string) => Promise<number>;
}

/** Looks at the free space of a directory's disk, at once and then each minute. */
export function watchDisk(directory: string, raise: Raise, options: DiskOptions = {}): Watch {
  const { look_ms = alert_disk_look_ms, freeBytes = freeOn } = options;
  const look = (): void => {
    freeBytes(directory).then(
      (free_bytes) => free_bytes < disk_free_bytes_min && raise({ type: 'disk_low', free_bytes }),
      // A disk that cannot be asked fails what the daemon writes to it, and that is reported.
      () => undefined,
    );
  };
  look();
  const timer = setInterval(look, look_ms).unref();
  return { stop: () => clearInterval(timer) };
}

async function freeOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
