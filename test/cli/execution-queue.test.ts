/** `execute` with and without a daemon: what waits for a place, what it prints, and what Ctrl-C stops. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endless, longWork, until } from '../support/app/given-daemon.js';
import { configure, homeScratch, program, type Scratch } from '../support/cli/cli-run.js';
import { forecast } from '../support/app/given-home.js';
import { keptForEach } from '../support/lists.js';

interface Started {
  readonly child: ChildProcess;
  readonly printed: () => string;
  /** Returns the exit code. */
  readonly ended: () => Promise<number | null>;
}

const code = { goal: 'code', work: { kind: 'code', candidate: 'def solve(): return 0', heldout: [{ args: [], expected: 0 }] } };

describe('execute', () => {
  let place: Scratch;
  const kept = keptForEach<ChildProcess>((child) => child.kill('SIGKILL'));
  const stateOf = (id: string): unknown => place.json('show', id)['state'];

  beforeEach(() => {
    place = homeScratch({ 'long.json': longWork('long'), 'short.json': forecast('short'), 'code.json': code });
    configure(place, { ...endless, executing_max: 1 });
  });
  afterEach(() => place.remove());

  const start = (...args: readonly string[]): Started => startWith({}, ...args);
  function startWith(env: NodeJS.ProcessEnv, ...args: readonly string[]): Started {
    const child = kept(spawn(process.execPath, [program, ...args], { cwd: place.directory, env: { ...place.env, ...env } }));
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    // At its exit, what it printed last may not have been read yet.
    const closed = once(child, 'close');
    return { child, printed: () => text, ended: () => closed.then(() => child.exitCode) };
  }
  const queue = (file: string): string => String(place.json('run', file)['id']);

  it('is refused or waits without a daemon while no place is free', async () => {
    const [a, b] = [queue('long.json'), queue('short.json')];
    const first = start('execute', a);
    await until(() => stateOf(a) === 'running');
    const refused = place.run('execute', b, '--no-wait', '--json');
    assert.deepEqual([refused.code, (JSON.parse(refused.stderr) as { code: string }).code], [4, 'in_use']);
    const left = start('execute', b);
    await until(() => left.printed().includes(`mission ${b} waits in the queue, place 1`));
    left.child.kill('SIGHUP');
    assert.equal(await left.ended(), 130);
    assert.match(left.printed(), /stays in the queue/);
    const second = start('execute', b, '--json');
    await until(() => place.json('show', b)['queue_position'] === 1);
    first.child.kill('SIGINT');
    assert.deepEqual([await first.ended(), await second.ended()], [130, 0]);
    assert.deepEqual([stateOf(a), stateOf(b)], ['failed', 'review']);
  });

  it('leaves the work to a daemon, and only stops following at Ctrl-C', async () => {
    const [a, b] = [queue('long.json'), queue('short.json')];
    const daemon = start('serve', '--no-simulation', '--port', '0', '--json');
    await until(() => daemon.printed().includes('"serving"'));
    const first = start('execute', a);
    await until(() => stateOf(a) === 'running');
    const waiting = place.json('execute', b, '--no-wait');
    assert.deepEqual([waiting['state'], waiting['queue_position']], ['queued', 1]);
    const c = queue('code.json');
    assert.match(place.run('execute', c, '--json').stderr, /cannot start now .*does not allow code execution/);
    assert.match(String(place.json('show', c)['queue_reason']), /does not allow code execution/);
    assert.match(
      place.run('show', c).stdout.replaceAll(/\s+/g, ' '),
      /cannot start .*code execution.*; it is tried again every minute/,
    );
    const second = start('execute', b);
    await until(() => second.printed().includes(`mission ${b} waits in the queue, place 1`));
    first.child.kill('SIGINT');
    assert.equal(await first.ended(), 130);
    assert.match(first.printed(), new RegExp(`stopped following; the daemon goes on, and mission ${a} is running`));
    place.json('cancel', a);
    assert.equal(await second.ended(), 0);
    assert.match(second.printed(), /^state +review$/m);
    const d = queue('long.json');
    const third = start('execute', d);
    await until(() => stateOf(d) === 'running');
    daemon.child.kill('SIGKILL');
    assert.equal(await third.ended(), 130);
    assert.match(third.printed(), new RegExp(`${d} failed: the process that executed it ended .* agent-cli recover ${d}`, 's'));
  });

  it('leaves code to the daemon that has an image, which the command needs not have', async () => {
    configure(place, { allow_code_execution: true });
    assert.match(place.run('run', 'code.json', '--execute').stderr, /AGENT_SANDBOX_IMAGE is not set; the mission was not queued/);
    const daemon = startWith({ AGENT_SANDBOX_IMAGE: `sha256:${'0'.repeat(64)}` }, 'serve', '--no-simulation', '--port', '0');
    await until(() => daemon.printed().includes('serving'));
    const { id, state } = place.json('run', 'code.json', '--execute', '--no-wait');
    assert.deepEqual([state, place.json('show', String(id))['state']], ['queued', 'queued']);
  });
});
