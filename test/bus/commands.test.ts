/** `serve`, `bus send` and `bus tail` as processes, and a client in another language. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cliLater, homeScratch, hostedScratch, program, root, type Scratch } from '../support/cli/cli-run.js';
import { freePort } from '../support/http/free-port.js';
import { bearerOf, busForEach, greeting } from '../support/bus/given-bus.js';
import { real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';

const token = 'a-token-of-this-very-bus';
/** Lets a host run `serve` too (command-host.ts), where it is refused. */
const inHost = { OWN_PROCESS: '0' };

describe('the commands of the message bus', () => {
  let place: Scratch | null = null;
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    place?.remove();
    place = null;
  });

  /** Starts `serve` and returns its first line of output. */
  async function serve({ env, directory }: Scratch): Promise<Record<string, unknown>> {
    const args = [program, 'serve', '--port', '0', '--json', '--no-simulation'];
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    child.stderr.resume();
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return JSON.parse(line) as Record<string, unknown>;
  }

  it('send an envelope to a daemon, and print what is recorded', async () => {
    const port = await freePort();
    place = homeScratch({}, { AGI_INSIGHT_BUS_PORT: String(port), AGI_INSIGHT_BUS_TOKEN: token });
    assert.equal((await serve(place))['bus'], `127.0.0.1:${port}`);
    const tail = spawn(process.execPath, [program, 'bus', 'tail', '--follow', '--json'], { env: place.env });
    children.push(tail);
    const followed = once(createInterface(tail.stdout), 'line') as Promise<[string]>;
    const sent = place.json('bus', 'send', 'market', '--payload', '{"task":"try"}');
    assert.deepEqual([sent['recipient'], sent['address']], ['market', `127.0.0.1:${port}`]);
    const printed = place.run('bus', 'tail', '--json');
    const envelope = { sender: 'operator', recipient: 'market', ts: sent['ts'], payload: { task: 'try' } };
    assert.deepEqual((JSON.parse(printed.stdout) as { envelope: unknown }).envelope, envelope);
    assert.deepEqual(JSON.parse((await followed)[0]), JSON.parse(printed.stdout));
    assert.match(place.run('bus', 'tail').stdout, /operator → market: \{"task":"try"\}\n$/);
    const wrong = await cliLater(['bus', 'send', 'market', '--json'], { ...place.env, AGI_INSIGHT_BUS_TOKEN: `${token}x` }, '/');
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.equal((JSON.parse(wrong.stderr) as { code: string }).code, 'unauthorized');
    const taken = homeScratch({}, { AGI_INSIGHT_BUS_PORT: String(port), ...inHost });
    try {
      const { code, stderr } = taken.run('serve', '--port', '0', '--no-simulation');
      assert.equal(code, 7);
      assert.match(stderr, /port \d+ of 127\.0\.0\.1 is taken by another program; set AGI_INSIGHT_BUS_PORT to another port/);
    } finally {
      taken.remove();
    }
  });

  it('send to the daemon of the home with its token, and to that of another home only by its address', async () => {
    const port = await freePort();
    place = homeScratch({}, { AGI_INSIGHT_BUS_PORT: String(port) });
    await serve(place);
    place.json('bus', 'send', 'market');
    const elsewhere = ['--home', join(place.directory, 'elsewhere')];
    const refused = place.run('bus', 'send', 'market', ...elsewhere);
    assert.equal(refused.code, 7, refused.stderr);
    assert.match(refused.stderr, /no daemon of this home serves a message bus: agent-cli serve [^]*--address HOST:PORT/);
    const stranger = place.run('bus', 'send', 'market', ...elsewhere, '--address', `127.0.0.1:${port}`);
    assert.equal(stranger.code, 0, stranger.stderr);
    const other = await cliLater(['bus', 'send', 'market'], { ...place.env, AGI_INSIGHT_BUS_PORT: String(port - 1) }, '/');
    assert.equal(other.code, 7, other.stderr);
    assert.match(other.stderr, new RegExp(`serves its message bus at 127\\.0\\.0\\.1:${port}, and AGI_INSIGHT_BUS_PORT is`));
    const sent = place.run('bus', 'tail', '--json').stdout.trim().split('\n');
    assert.deepEqual(
      sent.map((line) => (JSON.parse(line) as { has_token: boolean }).has_token),
      [true, false],
    );
    assert.match(place.run('bus', 'send', 'market', '--tls').stderr, /responds at 127\.0\.0\.1:\d+: .*wrong version number/);
    appendFileSync(join(place.directory, 'home', 'config.json'), ' ');
    assert.match(place.run('bus', 'send', 'market').stderr, /^✗ Engine unavailable: integrity: the envelope was not recorded/);
  });

  it('refuse what cannot be sent, and a bus that is not running', async () => {
    const port = await freePort();
    place = hostedScratch({ AGI_INSIGHT_BUS_PORT: String(port) });
    const exits: [readonly string[], number][] = [
      [['market'], 7],
      [['market', '--payload', '['], 2],
      [['market', '--payload', '[]'], 2],
      [['market', '--address', 'bus.example:6006'], 2],
      [['market', '--address', 'nowhere'], 2],
      [['', '--payload', '{}'], 2],
    ];
    for (const [args, code] of exits) assert.equal(place.run('bus', 'send', ...args).code, code, args.join(' '));
  });

  it('refuse settings that would let others in, or that no container could have', () => {
    const refused: [Readonly<Record<string, string>>, RegExp][] = [
      [{ SANDBOX_MEM_MB: '63' }, /SANDBOX_MEM_MB: must be an integer from 64 to 4096/],
      [{ AGI_INSIGHT_BUS_PORT: '65536' }, /AGI_INSIGHT_BUS_PORT: must be an integer/],
      [{ AGI_INSIGHT_BUS_HOST: '[::]' }, /AGI_INSIGHT_BUS_CERT: must be set.*_HOST is ::,/],
      [{ AGI_INSIGHT_BUS_TOKEN: '' }, /AGI_INSIGHT_BUS_TOKEN: is empty/],
      [{ AGI_INSIGHT_BUS_TOKEN: 'short' }, /AGI_INSIGHT_BUS_TOKEN: has fewer than 16 characters/],
      [{ AGI_INSIGHT_BUS_CERT: 'x.pem' }, /AGI_INSIGHT_BUS_KEY: must be set/],
      [{ AGI_INSIGHT_BUS_CERT: 'x.pem', AGI_INSIGHT_BUS_KEY: program }, /AGI_INSIGHT_BUS_CERT: .*x\.pem cannot be read/],
      [{ AGI_INSIGHT_BUS_CERT: program, AGI_INSIGHT_BUS_KEY: program }, /AGI_INSIGHT_BUS_CERT: must name a file with/],
    ];
    for (const [more, message] of refused) {
      const given = homeScratch({}, { AGI_INSIGHT_BUS_PORT: '6006', ...inHost, ...more });
      try {
        const { code, stderr } = given.run('serve', '--port', '0', '--no-simulation');
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
      } finally {
        given.remove();
      }
    }
  });
});

real('python-grpc', 'a client of the message bus in Python', () => {
  const buses = busForEach();

  it('completes the handshake and sends', async () => {
    const bus = await buses.start();
    const script = join(root, 'test', 'bus', 'client.py');
    const output = await new Promise<string>((resolve, reject) => {
      const child = execFile(
        '/usr/bin/python3',
        [script, `127.0.0.1:${bus.port}`, bearerOf(bus)['authorization']?.slice('Bearer '.length) ?? ''],
        { timeout: hang_ms },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${String(child.exitCode)}: ${stderr}`));
        },
      );
    });
    assert.deepEqual(output.trim().split('\n'), [greeting, 'ok', 'FAILED_PRECONDITION', 'INVALID_ARGUMENT', 'python']);
    assert.equal(bus.recorded()[0]!.envelope!.sender, 'python');
  });
});
