/** Notices: what reaches a webhook, that it survives kills of both sides, and that it says who sent it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, startDaemon } from '../../src/app/daemon/daemon.js';
import { Notices } from '../../src/app/notices/notices.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { openDatabase } from '../../src/store/database.js';
import { longWork, unverified, until } from '../support/app/given-daemon.js';
import { apply, forecast, produced, queued, review } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { cli, type Env, homeScratch, type HostedScratch, plan, program } from '../support/cli/cli-run.js';
import { heard, start as startCommand } from '../support/crash/crash-cli.js';
import { type Answer, startWebhook, type Webhook } from '../support/http/webhook-server.js';

const secret = 'a-secret-of-the-receiver';
interface Told {
  readonly delivery: string;
  readonly id: string;
  readonly kind: string;
  readonly state: string | null;
  readonly link: string;
}
const told = (body: string | undefined): Told => JSON.parse(body ?? '') as Told;

describe('notices', () => {
  let given: TemporaryHome;
  let daemon: Daemon;
  let notices: Notices;
  let webhook: Webhook;
  let unresponsive: Webhook;
  const failed: string[] = [];

  async function start(answer?: Answer, pauses_ms = [1, 1, 1, 1], onWarning?: (message: string) => void): Promise<void> {
    [webhook, unresponsive] = [await startWebhook(answer), await startWebhook(() => undefined)];
    given = temporaryHome();
    const home = given.open();
    const wanting = [{ url: unresponsive.url.href, events: ['alert'] }, { url: `${webhook.url.href}/ä` }];
    await apply(home, { console_origin: 'https://agent.example', notices: wanting });
    home.close();
    daemon = await startDaemon(given.world, { ...unverified, onWarning: () => undefined });
    if (onWarning !== undefined) writeFileSync(join(given.directory, 'notices.sqlite3'), 'damaged');
    notices = new Notices(daemon.home, {
      console: 'http://localhost:8765/',
      onWarning: onWarning ?? assert.fail,
      onFailed: (kind) => failed.push(kind),
      pauses_ms,
    });
    notices.start(daemon.feed);
  }
  afterEach(async () => {
    await notices.stop();
    await daemon.stop();
    await Promise.all([webhook.close(), unresponsive.close()]);
    given.remove();
  });

  it('say that a mission needs review, was decided or failed, and that there is an alert; never its goal or a note', async () => {
    await start();
    const mission = await produced(daemon.home, forecast('a secret goal'));
    await until(() => webhook.bodies.length === 1);
    await review(daemon.home, mission, { approve: false, note: 'a secret note' });
    notices.alert('disk_low');
    await until(() => webhook.bodies.length === 3 && unresponsive.bodies.length === 1);
    const all = webhook.bodies.map(told);
    assert.deepEqual(
      all
        .map(({ id, kind, state, link }) => [id, kind, state, link])
        .toSorted(([, a], [, b]) => String(a).localeCompare(String(b))),
      [
        ['disk_low', 'alert', null, 'https://agent.example/#/'],
        [mission.id, 'decided', 'rejected', `https://agent.example/#/missions/${mission.id}`],
        [mission.id, 'needs_review', 'review', `https://agent.example/#/missions/${mission.id}`],
      ],
    );
    assert.doesNotMatch(webhook.bodies.join(), /secret/);
    assert.equal(told(unresponsive.bodies[0]).kind, 'alert', 'the only kind that it wants');
  });

  it('are tried five times under one delivery id; then an event and an alert say that they were not delivered', async () => {
    failed.length = 0;
    await start((response) => void response.writeHead(500).end());
    const { id } = await produced(daemon.home, forecast());
    await until(() => failed.length === 1);
    assert.deepEqual([webhook.bodies.length, new Set(webhook.bodies).size, failed], [5, 1, ['needs_review']]);
    const { event } = entriesOfStream(daemon.home.db, '@control').at(-1) ?? {};
    assert.equal(event?.type, 'control.notice_failed');
    const { delivery } = told(webhook.bodies[0]);
    assert.deepEqual(event?.document, { delivery, kind: 'needs_review', id, tries: 5, failed: 'HTTP 500' });
    assert.doesNotMatch(JSON.stringify(event), /very-secret/);
  });

  it('are sent no more to a webhook that the configuration no longer names', async () => {
    await start((response) => void response.writeHead(500).end(), [400, 400, 400, 400]);
    await produced(daemon.home, forecast());
    await until(() => webhook.bodies.length === 1);
    await apply(daemon.home, { notices: [] });
    const { length } = webhook.bodies;
    await sleep(1_000);
    // One that had begun may still arrive.
    assert.ok(webhook.bodies.length <= length + 1);
  });

  it('are delivered in order while thousands of another webhook are still to be delivered', async () => {
    await start();
    const db = openDatabase(join(given.directory, 'notices.sqlite3'));
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)';
    db.prepare(`${numbers} INSERT INTO delivery SELECT i, ?, hex(zeroblob(125)), 0, 1 FROM n`).run(unresponsive.url.href);
    db.close();
    const types = Array.from({ length: 60 }, (_, i) => `alert_${i}`);
    types.forEach(notices.alert);
    await until(() => webhook.bodies.length === types.length);
    assert.equal(webhook.bodies.map((body) => told(body).id).join(), types.join());
  });

  it('are tried again when the receiver was away, or their database damaged, once per delivery id', async () => {
    let tries = 0;
    const warnings: string[] = [];
    const answer: Answer = (response, request) => (++tries === 1 ? request.socket.destroy() : void response.end('ok'));
    await start(answer, [50, 50, 50, 50], (message) => warnings.push(message));
    await produced(daemon.home, forecast());
    notices.alert('disk_low');
    assert.match(warnings.at(-1) ?? '', /^the alert disk_low is told to no webhook: integrity: notices\.sqlite3 is damaged: /);
    rmSync(join(given.directory, 'notices.sqlite3'));
    await until(() => webhook.bodies.length === 2);
    assert.equal(webhook.bodies[0], webhook.bodies[1]);
    await queued(daemon.home);
    assert.equal(webhook.bodies.length, 2);
  });
});

describe('notices of a daemon that is killed', () => {
  let place: HostedScratch;
  const begun: ChildProcess[] = [];
  before(() => {
    const long = { ...longWork('long'), effort: 1_000_000 };
    place = homeScratch({ 'plan.json': plan, 'long.json': long }, { AGENT_NOTICE_SECRET: secret });
  });
  after(() => {
    for (const child of begun) child.kill('SIGKILL');
    place.remove();
  });

  async function serve(): Promise<ChildProcess> {
    const child = startCommand(['serve', '--port', '0', '--no-simulation', '--json'], place.env);
    begun.push(child);
    await heard(child, '"serving"');
    return child;
  }

  it('are delivered by the next one under the same id, with a signature that openssl checks', async () => {
    let isAway = true;
    const headers: IncomingHttpHeaders[] = [];
    const webhook = await startWebhook((response, request) => {
      headers.push(request.headers);
      // A try that is never answered: the kill comes in the middle of it.
      if (!isAway) response.end('ok');
    });
    place.json('config', 'set', `notices=${JSON.stringify([{ url: webhook.url.href, events: ['needs_review', 'alert'] }])}`);
    const first = await serve();
    const id = String(place.json('run', 'plan.json', '--execute')['id']);
    await until(() => webhook.bodies.length === 1);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const busy = spawn(process.execPath, [program, 'run', 'long.json', '--execute'], { cwd: place.directory, env: place.env });
    await until(() => JSON.stringify(place.json('list')).includes('"running"'));
    busy.kill('SIGKILL');
    await once(busy, 'exit');
    // The clock was a year ahead, and was set back.
    const db = openDatabase(join(place.directory, 'home', 'notices.sqlite3'));
    db.exec('UPDATE delivery SET due = due + 31536000000');
    db.close();
    isAway = false;
    const second = await serve();
    await until(() => webhook.bodies.length === 3);
    second.kill('SIGTERM');
    await once(second, 'exit');
    assert.equal(webhook.bodies[0], webhook.bodies[1]);
    const kinds = webhook.bodies.slice(1).map((body) => [told(body).kind, told(body).id]);
    assert.deepEqual(kinds, [
      ['needs_review', id],
      ['alert', 'mission_interrupted'],
    ]);
    const { 'agent-signature': signature = '', 'user-agent': agent = '' } = headers[1] ?? {};
    const [, time = '', mac = ''] = /^t=([0-9]+),v1=([0-9a-f]{64})$/.exec(String(signature)) ?? [];
    assert.match(agent, /^agent-cli\/2\./);
    const input = `${time}.${webhook.bodies[1] ?? ''}`;
    const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input, encoding: 'utf8' });
    assert.equal(stdout.trim().split('= ').at(-1), mac);
    await webhook.close();
  });

  it('are unsigned without the secret, or damaged, which the doctor says', () => {
    const { AGENT_NOTICE_SECRET: _, ...without } = place.env as Record<string, string>;
    const doctor = (env: Env): string => cli(['doctor'], env, place.directory).stdout;
    assert.match(doctor(place.env), /^✓ notices /m);
    assert.match(doctor(without), /^! notices .*is not set\s+here/m);
    writeFileSync(join(place.directory, 'home', 'notices.sqlite3'), 'damaged');
    assert.match(doctor(place.env), /^! notices .*notices\.sqlite3 is damaged/m);
  });
});
