/** Alerts: what is sent, how often, and to a webhook that is down, slow, redirecting or talkative. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import {
  Alerts,
  type AlertsOptions,
  type AlertCause,
  alertSettings,
  Responses,
  watchDisk,
  alert_tries_max,
} from '../../../src/app/alerts/alerts.js';
import { alerts_kept_max, disk_free_bytes_min } from '../../../src/base/limits.js';
import { webhookBody } from '../../../src/webhook/post.js';
import { until } from '../../support/app/given-daemon.js';
import { refusalOf } from '../../support/app/given-home.js';
import { start_ms } from '../../support/app/temporary-home.js';
import { listening } from '../../support/listening.js';
import { startWebhook, type Answer, type Webhook } from '../../support/http/webhook-server.js';
import { membersOf } from '../../support/lists.js';

const restarted: AlertCause = { type: 'agent_restarted', role: 'strategy', restarts: 1 };
const runFailed = (n: number): AlertCause => ({
  type: 'run_failed',
  id: n.toString(16).padStart(16, '0'),
  code: 'execution_failed',
});
const hasty = { pause_ms: 1, ms_max: 300_000 };

describe('alerts', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const webhookOf = async (answer?: Answer): Promise<Webhook> => {
    const webhook = await startWebhook(answer);
    ends.push(webhook.close);
    return webhook;
  };
  const alertsOf = (webhook: URL | null, limits: AlertsOptions['limits'] = {}) => {
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const alerts = new Alerts({ webhook, clock: () => start_ms, onWarning, limits: { ...hasty, ...limits } });
    ends.unshift(alerts.stop);
    const deliveries = (): string[] => alerts.document().items.map(({ delivery }) => delivery);
    return { alerts, warnings, deliveries };
  };

  it('are posted as content, or as text to Slack', async () => {
    const webhook = await webhookOf();
    const { alerts, deliveries } = alertsOf(webhook.url);
    alerts.raise(restarted);
    await until(() => deliveries()[0] === 'sent');
    const text = 'agent-cli: the strategy agent was restarted (restart 1)';
    assert.deepEqual(webhook.bodies, [JSON.stringify({ content: text })]);
    assert.equal(webhookBody(new URL('https://hooks.slack.com/services/x'), 'a'), '{"text":"a"}');
    for (const other of ['https://discord.com/api', 'https://notslack.com/', 'https://slack.com.example/'])
      assert.equal(webhookBody(new URL(other), 'a'), '{"content":"a"}', other);
  });

  it('are kept without a webhook, the newest first and so many', () => {
    const { alerts } = alertsOf(null);
    for (let n = 0; n < alerts_kept_max + 5; n++) alerts.raise(runFailed(n));
    const { webhook, items } = alerts.document();
    assert.equal(webhook, false);
    assert.equal(items.length, alerts_kept_max);
    assert.match(items[0]!.text, /simulation run 0000000000000068 failed: execution_failed$/);
    assert.equal(items[0]!.delivery, 'shown');
    assert.equal(items[0]!.time, '2026-11-20T05:00:00.000000Z');
  });

  it('are sent once within the time of repetition, and counted', async () => {
    const webhook = await webhookOf();
    const { alerts, deliveries } = alertsOf(webhook.url);
    for (let n = 1; n <= 3; n++) alerts.raise({ ...restarted, restarts: n });
    alerts.raise({ ...restarted, role: 'market' });
    await until(() => deliveries().every((delivery) => delivery === 'sent'));
    assert.equal(webhook.bodies.length, 2);
    assert.deepEqual(membersOf(alerts.document().items, 'count'), [1, 3]);
    const again = alertsOf(webhook.url, { repeat_ms: 0 });
    again.alerts.raise(restarted);
    again.alerts.raise(restarted);
    await until(() => webhook.bodies.length === 4);
  });

  it('are sent at most so many a window, and beyond so many waiting ones are shown alone', async () => {
    const webhook = await webhookOf();
    const { alerts, deliveries } = alertsOf(webhook.url, { per_window_max: 2, waiting_max: 3, window_ms: 300_000 });
    for (let n = 0; n < 6; n++) alerts.raise(runFailed(n));
    await until(() => deliveries().filter((delivery) => delivery === 'sent').length === 2);
    assert.deepEqual(deliveries(), ['dropped', 'dropped', 'dropped', 'waiting', 'sent', 'sent']);
    assert.equal(webhook.bodies.length, 2);
  });

  it('are tried three times while the webhook fails', async () => {
    let asked = 0;
    const webhook = await webhookOf((response) => {
      response.statusCode = ++asked < alert_tries_max ? 500 : 204;
      response.end();
    });
    const { alerts, deliveries, warnings } = alertsOf(webhook.url);
    alerts.raise(restarted);
    await until(() => deliveries()[0] === 'sent');
    assert.equal(webhook.bodies.length, alert_tries_max);
    assert.deepEqual(warnings, []);
  });

  it('are given up after that, with a warning that does not name the address', async () => {
    const webhook = await webhookOf((response) => response.writeHead(503).end());
    const { alerts, deliveries, warnings } = alertsOf(webhook.url);
    alerts.raise(restarted);
    await until(() => deliveries()[0] === 'failed');
    assert.equal(webhook.bodies.length, alert_tries_max);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^an alert could not be sent to the webhook \(HTTP 503\)/);
    assert.ok(!warnings[0]!.includes('secret') && !warnings[0]!.includes(webhook.url.port));
  });

  it('fail where nobody listens, and do not follow a redirect', async () => {
    const { port, close } = await listening(createServer());
    await close();
    const down = alertsOf(new URL(`http://127.0.0.1:${port}/very-secret-path`));
    down.alerts.raise(restarted);
    await until(() => down.deliveries()[0] === 'failed');
    assert.match(down.warnings[0]!, /\(ECONNREFUSED\)/);

    const target = await webhookOf();
    const redirecting = await webhookOf((response) => response.writeHead(307, { location: target.url.href }).end());
    const { alerts, deliveries, warnings } = alertsOf(redirecting.url);
    alerts.raise(restarted);
    await until(() => deliveries()[0] === 'failed');
    assert.deepEqual([redirecting.bodies.length, target.bodies.length], [1, 0]);
    assert.ok(warnings.every((warning) => !warning.includes('secret')));
  });

  it('give a slow webhook its time, and never wait for it where they are raised', async () => {
    const held: (() => void)[] = [];
    const webhook = await webhookOf((response) => held.push(() => response.end()));
    const { alerts, deliveries } = alertsOf(webhook.url, { ms_max: 50 });
    assert.equal(alerts.raise(restarted), undefined);
    assert.deepEqual(deliveries(), ['waiting']);
    await until(() => deliveries()[0] === 'failed' && webhook.connections() >= alert_tries_max);
    assert.equal(webhook.connections(), alert_tries_max);
    held.forEach((end) => end());
  });

  it('read a long response to its limit', async () => {
    const webhook = await webhookOf((response) => {
      const more = (error?: Error | null): void => {
        if (!error && !response.destroyed) response.write(Buffer.alloc(65_536), more);
      };
      more();
    });
    const { alerts, deliveries } = alertsOf(webhook.url);
    alerts.raise(restarted);
    await until(() => deliveries()[0] === 'sent');
  });

  it('end at once when the daemon stops', async () => {
    const webhook = await webhookOf(() => undefined);
    const { alerts, warnings } = alertsOf(webhook.url);
    alerts.raise(restarted);
    await until(() => webhook.bodies.length === 1);
    await alerts.stop();
    alerts.raise(runFailed(1));
    assert.equal(alerts.document().items.length, 1);
    assert.deepEqual(warnings, []);
  });

  it('are raised for a minute with more than 5 % of 429', async () => {
    const raised: AlertCause[] = [];
    const minute = async (others: number, refused: number): Promise<void> => {
      let isOver = false;
      const responses = new Responses('simulation', (alert) => raised.push(alert), 20);
      for (let n = 0; n < others; n++) responses.count(200);
      for (let n = 0; n < refused; n++) responses.count(429);
      setTimeout(() => (isOver = true), 60);
      await until(() => isOver);
      responses.stop();
    };
    await minute(95, 5);
    await minute(0, 0);
    assert.deepEqual(raised, []);
    await minute(94, 6);
    assert.deepEqual(raised, [{ type: 'responses_refused', server: 'simulation', refused: 6, responses: 100 }]);
  });

  it('are raised for a disk with little space, and not for one that cannot be read', async () => {
    const raised: AlertCause[] = [];
    let looks = 0;
    const freeBytes = async (): Promise<number> => {
      looks++;
      if (looks === 1) throw new Error('no disk');
      return disk_free_bytes_min - (looks < 4 ? 0 : 1);
    };
    const watch = watchDisk('/', (alert) => raised.push(alert), { look_ms: 1, freeBytes });
    await until(() => raised.length > 0);
    watch.stop();
    assert.deepEqual(raised[0], { type: 'disk_low', free_bytes: disk_free_bytes_min - 1 });
  });
});

describe('the address of the webhook', () => {
  const read = (text: string | undefined) => alertSettings({ ALERT_WEBHOOK_URL: text });

  it('may be https, or http on this machine', () => {
    for (const text of ['https://hooks.slack.com/services/x', 'http://127.0.0.1:9/x?y', 'http://localhost/', 'http://[::1]:1/'])
      assert.equal(read(text)?.href, text);
    assert.equal(read(undefined), null);
    assert.equal(read(''), null);
  });

  it('is refused otherwise, without a word of it', () => {
    const secrets = [
      'http://secret.example/',
      'http://127.0.0.1.secret.example/',
      'ftp://secret.example/',
      'https://secret@example.org/',
      'https://:secret@example.org/',
      'secret',
      'https://',
      'https://example.org/secret\n',
      ` https://secret.example/`,
      `https://secret.example/${'x'.repeat(3_000)}`,
    ];
    for (const text of secrets) {
      const refusal = refusalOf(() => read(text));
      assert.equal(refusal?.code, 'invalid', text);
      assert.match(refusal.detail, /^ALERT_WEBHOOK_URL: must /);
      assert.ok(!JSON.stringify(refusal).includes('secret'), text);
    }
  });
});
