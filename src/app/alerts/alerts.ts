/**
 * The alerts of a daemon: kept for the console, and sent to a webhook one after another. Raising one never waits and never throws;
 * the same alert again is counted, and the number sent per minute is limited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  alert_ms_max,
  alert_pause_ms,
  alert_repeat_ms,
  alert_tries_max,
  alert_window_ms,
  alerts_kept_max,
  alerts_per_window_max,
  alerts_waiting_max,
} from '../../base/alert-limits.js';
import { formatTime } from '../../base/time.js';
import type { Alert, Alerts as AlertsDocument } from '../../codec/api-alerts.js';
import { webhookBody } from '../../webhook/address.js';
import { postWebhook } from '../../webhook/post.js';
import { keyOf, textOf, type Raised } from './raised.js';

interface Kept extends Omit<Alert, 'count' | 'delivery'> {
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
  readonly limits?: Partial<typeof usual>;
}

const usual = {
  ms_max: alert_ms_max,
  pause_ms: alert_pause_ms,
  repeat_ms: alert_repeat_ms,
  window_ms: alert_window_ms,
  per_window_max: alerts_per_window_max,
  waiting_max: alerts_waiting_max,
};

export class Alerts {
  /** The oldest first. */
  private readonly kept: Kept[] = [];
  private readonly waiting: Kept[] = [];
  private sentAt: number[] = [];
  private sending: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private readonly limits: typeof usual;

  constructor(private readonly options: AlertsOptions) {
    this.limits = { ...usual, ...options.limits };
  }

  /** Raises an alert: keeps it, and sends it unless the same one was raised a short time ago. */
  readonly raise = (raised: Raised): void => {
    if (this.stopping.signal.aborted) return;
    const [key, now] = [keyOf(raised), performance.now()];
    const same = this.kept.findLast((alert) => alert.key === key && now - alert.raised_ms < this.limits.repeat_ms);
    if (same !== undefined) {
      same.count++;
      return;
    }
    const time = formatTime(this.options.clock());
    const alert: Kept = { type: raised.type, text: textOf(raised), time, count: 1, delivery: 'shown', key, raised_ms: now };
    this.kept.push(alert);
    if (this.kept.length > alerts_kept_max) this.kept.shift();
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

  /** Sends nothing more. */
  readonly stop = async (): Promise<void> => {
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

  private async send(webhook: URL, { text }: Kept): Promise<boolean> {
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
