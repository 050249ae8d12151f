/** `execute` with and without a daemon: what waits for a place, what it prints, and what Ctrl-C stops. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('execute', () => {
  let place: Scratch;
  const kept = keptForEach<ChildProcess>((child) => child.kill('SIGKILL'));
  const stateOf = (id: string): unknown => place.json('show', id)['state'];

  beforeEach(() => {
    place = homeScratch({ 'long.json': longWork('long'), 'short.json': forecast('short') });
    configure(place, { ...endless, executing_max: 1 });
  });
  afterEach(() => place.remove());

  function start(...args: readonly string[]): Started {
    const child = kept(spawn(process.execPath, [program, ...args], { cwd: place.directory, env: place.env }));
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
    const mission = { goal: 'code', work: { kind: 'code', heldout: [{ args: [], expected: 0 }] } };
    writeFileSync(join(place.directory, 'code.json'), JSON.stringify(mission));
    const code = String(place.json('run', 'code.json')['id']);
    assert.match(place.run('execute', code, '--json').stderr, /cannot start now .*does not allow code execution/);
    assert.match(String(place.json('show', code)['queue_reason']), /does not allow code execution/);
    assert.match(
      place.run('show', code).stdout.replaceAll(/\s+/g, ' '),
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
    const c = queue('long.json');
    const third = start('execute', c);
    await until(() => stateOf(c) === 'running');
    daemon.child.kill('SIGKILL');
    assert.equal(await third.ended(), 130);
    assert.match(third.printed(), new RegExp(`${c} failed: the process that executed it ended .* agent-cli recover ${c}`, 's'));
  });
});
