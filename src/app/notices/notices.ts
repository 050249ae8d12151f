/**
 * Notices: what a mission needs or came to, and alerts, posted to the webhooks of the configuration. A notice holds ids and a link, never a goal or a
 * note. What is still to be delivered is in a database of its own beside the journal, so that it survives a kill: each try of a delivery has its id.
 */
import { readServerUrl } from '../../base/exchange.js';
import { messageOf, RefusalError } from '../../base/refusal.js';
import { createHmac, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config, Notice, NoticeKind } from '../../codec/config.js';
import { controlName } from '../../domain/control.js';
import type { HomePaths } from '../../home/paths.js';
import { type Db, openDatabase } from '../../store/database.js';
import { postWebhook } from '../../webhook/post.js';
import type { Daemon } from '../daemon/daemon.js';
import { configOrNull } from '../home/config.js';
import { type Home, programVersion } from '../home/home.js';
import { damageRefusal } from '../../base/damage.js';
import type { Check } from '../../codec/api-status.js';

export const notice_secret_variable = 'AGENT_NOTICE_SECRET';
export const noticesFile = ({ directory }: Pick<HomePaths, 'directory'>): string => path.join(directory, 'notices.sqlite3');

const post_ms_max = 10_000;
/** The time from a try to the next one: five tries within an hour. */
const pauses_ms = [15_000, 120_000, 600_000, 2_820_000];
/** The longest time between two looks at what is due. */
const look_ms = 60_000;

const ddl = `
CREATE TABLE IF NOT EXISTS delivery (id TEXT PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL, tries INTEGER NOT NULL, due INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS delivery_due ON delivery(url, due);
CREATE TABLE IF NOT EXISTS seen (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL) STRICT;`;

/** The webhooks that something is still to be delivered to, each found by the index: a receiver that was down for a day has thousands of rows. */
const webhooksWithDeliveries = `WITH RECURSIVE each(url) AS (
  SELECT min(url) FROM delivery
  UNION ALL SELECT (SELECT min(url) FROM delivery WHERE url > each.url) FROM each WHERE url IS NOT NULL
) SELECT url FROM each WHERE url IS NOT NULL`;

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** Tries that failed. */
  readonly tries: number;
}

/** What happened, for whoever is told. */
export interface NoticeSubject {
  readonly kind: NoticeKind;
  /** The id of the mission, or the type of the alert. */
  readonly id: string;
  /** The state of the mission; null for an alert. */
  readonly state: string | null;
}

const kinds: Readonly<Partial<Record<string, Omit<NoticeSubject, 'id'>>>> = {
  'mission.produced': { kind: 'needs_review', state: 'review' },
  'mission.completed': { kind: 'decided', state: 'completed' },
  'mission.rejected': { kind: 'decided', state: 'rejected' },
  'mission.failed': { kind: 'failed', state: 'failed' },
  'mission.cancelled': { kind: 'failed', state: 'failed' },
};

export interface NoticesOptions {
  /** The address of the console, before its routes; the configuration may name another one. */
  readonly console: string;
  readonly onWarning: (message: string) => void;
  /** Called with a notice that could not be delivered. */
  readonly onFailed: (kind: NoticeKind) => void;
  readonly pauses_ms?: readonly number[] | undefined;
}

export class Notices {
  private readonly file: string;
  private readonly pauses_ms: readonly number[];
  private opened: Db | null = null;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** By webhook: one that is slow or down keeps no other waiting. */
  private readonly sending = new Map<string, Promise<void>>();
  private following: Promise<void> | null = null;

  constructor(
    private readonly home: Home,
    private readonly options: NoticesOptions,
  ) {
    this.file = noticesFile(home.paths);
    this.pauses_ms = options.pauses_ms ?? pauses_ms;
  }

  private readonly warn = (what: string, error: unknown): void => this.options.onWarning(`${what}: ${messageOf(error)}`);

  /** Made only in a home that has a webhook. */
  private get db(): Db {
    if (this.opened !== null) return this.opened;
    fs.closeSync(fs.openSync(this.file, 'a', 0o600));
    const db = openDatabase(this.file, { create: true });
    db.exec(ddl);
    return (this.opened = db);
  }

  /** Follows the journal from the entry that was seen last; at the first start from the newest one. */
  readonly start = (feed: Daemon['feed']): void => void (this.following = this.follow(feed));

  private readonly webhooks = (): readonly Notice[] => configOrNull(this.home)?.notices ?? [];

  /** Tells of an alert. */
  readonly alert = (type: string): void => {
    try {
      this.tell({ kind: 'alert', id: type, state: null });
    } catch (error) {
      this.warn(`the alert ${type} is told to no webhook`, error);
    }
  };

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await Promise.all([this.following, ...this.sending.values()]);
    this.opened?.close();
  }

  private async follow(feed: Daemon['feed']): Promise<void> {
    const newest = feed.newest();
    let after: number | null = null;
    while (!this.stopping.signal.aborted) {
      try {
        after ??= this.begin(newest);
        for await (const item of feed.follow(after, this.stopping.signal)) {
          if (item.type !== 'entry') continue;
          const told = kinds[item.event];
          if (told !== undefined) this.tell({ ...told, id: item.stream }, item.sequence);
          after = item.sequence;
        }
        return;
      } catch (error) {
        await this.rest(error);
      }
    }
  }

  /** Returns the last entry of which all was told, and sends what is due. */
  private begin(newest: number): number {
    if (this.webhooks().length === 0 && !fs.existsSync(this.file)) return newest;
    this.db.prepare('INSERT INTO seen VALUES (1, ?) ON CONFLICT DO NOTHING').run(newest);
    this.look();
    return this.db.prepare<[], number>('SELECT sequence FROM seen').pluck().get() ?? newest;
  }

  /** Says that the database cannot be used, and waits: it may be locked, or its disk full, for a while. */
  private async rest(error: unknown): Promise<void> {
    this.warn('notices are sent later', error);
    await sleep(this.pauses_ms[1], undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }

  /** Stores a delivery for each webhook that wants to know, together with the entry that caused them. */
  private tell(told: NoticeSubject, sequence?: number): void {
    if (this.stopping.signal.aborted) return;
    const wanting = this.webhooks().filter((notice) => wants(notice, told.kind));
    if (wanting.length === 0 && this.opened === null) return;
    const origin = configOrNull(this.home)?.console_origin ?? '';
    const base = origin === '' ? this.options.console : `${origin}/`;
    const insert = this.db.prepare('INSERT INTO delivery (id, url, body, tries, due) VALUES (?, ?, ?, 0, ?)');
    this.db.transaction(() => {
      for (const { url } of wanting) {
        const delivery = randomUUID();
        const link = `${base}#/${told.state === null ? '' : `missions/${told.id}`}`;
        insert.run(delivery, url, JSON.stringify({ delivery, ...told, link }), Date.now());
      }
      if (sequence !== undefined)
        this.db
          .prepare('INSERT INTO seen VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET sequence = excluded.sequence')
          .run(sequence);
    })();
    if (wanting.length > 0) this.look();
  }

  /** Sends what is due, and looks again when the next delivery is, or a little later when the database cannot be used. */
  private look(): void {
    if (this.stopping.signal.aborted) return;
    clearTimeout(this.timer);
    let pause_ms: number | null = look_ms;
    try {
      pause_ms = this.sendAllDue();
    } catch (error) {
      this.warn('notices are sent later', error);
    }
    if (pause_ms !== null) this.timer = setTimeout(() => this.look(), pause_ms).unref();
  }

  /** Returns the time until more is due, or null. */
  private sendAllDue(): number | null {
    const named = configOrNull(this.home)?.notices.map(({ url }) => url);
    const now = Date.now();
    let pause_ms: number | null = null;
    for (const url of this.db.prepare<[], string>(webhooksWithDeliveries).pluck().all()) {
      // A webhook that the configuration no longer names is told nothing more.
      if (named?.includes(url) === false) this.db.prepare('DELETE FROM delivery WHERE url = ?').run(url);
      else {
        const left_ms = this.firstDue(url, now) - now;
        if (left_ms > 0) pause_ms = Math.min(left_ms, pause_ms ?? look_ms);
        else if (!this.sending.has(url)) this.send(url);
      }
    }
    return pause_ms;
  }

  /** Returns when the next delivery to a webhook, which has one, is due. */
  private firstDue(url: string, now: number): number {
    // Only a clock that was set back makes a delivery wait longer than the longest pause.
    const latest = now + Math.max(...this.pauses_ms);
    this.db.prepare('UPDATE delivery SET due = ? WHERE url = ? AND due > ?').run(now, url, latest);
    return this.db.prepare<[string], number>('SELECT min(due) FROM delivery WHERE url = ?').pluck().get(url) ?? now;
  }

  private send(url: string): void {
    const sent = this.sendDue(url)
      .catch((error: unknown) => this.rest(error))
      .finally(() => {
        this.sending.delete(url);
        this.look();
      });
    this.sending.set(url, sent);
  }

  private async sendDue(url: string): Promise<void> {
    const next = this.db.prepare<[string, number], Delivery>(
      'SELECT id, url, body, tries FROM delivery WHERE url = ? AND due <= ? ORDER BY due LIMIT 1',
    );
    for (let delivery = next.get(url, Date.now()); delivery !== undefined; delivery = next.get(url, Date.now())) {
      if (this.stopping.signal.aborted) return;
      const failed = await this.post(delivery);
      if (this.stopping.signal.aborted && failed !== null) return;
      const pause = this.pauses_ms[delivery.tries];
      if (failed === null) this.db.prepare('DELETE FROM delivery WHERE id = ?').run(delivery.id);
      else if (pause === undefined) await this.giveUp(delivery, failed);
      else this.db.prepare('UPDATE delivery SET tries = tries + 1, due = ? WHERE id = ?').run(Date.now() + pause, delivery.id);
    }
  }

  /** Returns why a try failed, or null. */
  private async post({ url, body }: Delivery): Promise<string | null> {
    const target = readServerUrl(url);
    if (typeof target === 'string') return target;
    const secret = this.home.world.env[notice_secret_variable] ?? '';
    const headers = {
      'user-agent': `agent-cli/${programVersion}`,
      ...(secret === '' ? {} : { 'agent-signature': signatureOf(secret, body) }),
    };
    const posted = await postWebhook(target, body, post_ms_max, this.stopping.signal, headers);
    return posted === 'sent' ? null : posted.failed;
  }

  /** Records that a notice was not delivered. */
  private async giveUp(delivery: Delivery, failed: string): Promise<void> {
    const { kind, id } = JSON.parse(delivery.body) as NoticeSubject;
    const document = { delivery: delivery.id, kind, id, tries: delivery.tries + 1, failed };
    try {
      await this.home.transact((tx) => tx.append(controlName, { type: 'control.notice_failed', document }));
    } catch (error) {
      this.warn('a notice that was not delivered could not be recorded', error);
    }
    this.db.prepare('DELETE FROM delivery WHERE id = ?').run(delivery.id);
    this.options.onFailed(kind);
  }
}

const wants = ({ events }: Notice, kind: NoticeKind): boolean => events === undefined || events.includes(kind);

/** Returns the header by which a receiver that has the secret knows the sender and the time: HMAC-SHA-256 over `<time>.<body>`. */
export function signatureOf(secret: string, body: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

// The check of `doctor` for the webhooks of the configuration.

/** Returns the check, without a request to a webhook. @param config null for a damaged one */
export function noticesCheck(home: Pick<Home, 'paths' | 'unwritable' | 'world'>, config: Config | null): Check[] {
  const count = config?.notices.length ?? 0;
  const file = noticesFile(home.paths);
  const warning = (detail: string, fix: string): Check[] => [{ name: 'notices', status: 'warn', detail, fix }];
  const damage = home.unwritable === null && fs.existsSync(file) ? damageOf(file) : null;
  if (damage !== null)
    return warning(`no notice can be sent: ${damage}`, `stop the daemon and remove ${file}; what it holds is not delivered`);
  if (count === 0) return [];
  const said = `${count} ${count === 1 ? 'webhook' : 'webhooks'}`;
  const isSigned = (home.world.env[notice_secret_variable] ?? '') !== '';
  if (isSigned) return [{ name: 'notices', status: 'ok', detail: `${said}, signed with ${notice_secret_variable}`, fix: null }];
  const detail = `${said}; ${notice_secret_variable} is not set here, and a daemon without it signs no notice`;
  return warning(detail, `set ${notice_secret_variable} where the daemon runs, and give it to the receiver`);
}

/** Returns what SQLite finds damaged in the file; null for nothing, and for a file that cannot be read now. */
function damageOf(file: string): string | null {
  try {
    const db = openDatabase(file, { queryOnly: true });
    try {
      const found = db.pragma('quick_check(1)', { simple: true });
      return found === 'ok' ? null : `notices.sqlite3 is damaged: ${String(found)}`;
    } finally {
      db.close();
    }
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error, 'notices.sqlite3');
    if (refusal === null) throw error;
    return refusal.code === 'integrity' ? refusal.detail : null;
  }
}
