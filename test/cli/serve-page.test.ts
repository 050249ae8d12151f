/** The lines of docs/operations.md that serve, each as it is written: in a network namespace of its own, where every port is free. */
import { match, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, scratch, type Scratch } from '../support/cli-run.js';
import { commandLines } from '../support/docs-block.js';
import { until } from '../support/given-daemon.js';
import { emptyNamespace, type EmptyNamespace } from '../support/namespace.js';
import { talking } from '../support/nats.js';
import { real } from '../support/real.js';
import { writeAgent } from '../support/scenario-run.js';

const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
/** An address of the namespace that is none of loopback (RFC 5737), as other machines use. */
const remote = '192.0.2.1';
const token = 'a-token-of-this-test';

/** Returns where a line serves: the addresses of its remark. */
const servedAt = (line: string): readonly string[] =>
  line.includes('from other machines') ? [`http://${remote}:8765/`] : (line.match(/http:\/\/[\d.:]+\//g) ?? []);

real('netns', 'docs/operations.md', () => {
  let place: Scratch;
  let namespace: EmptyNamespace;
  before(async () => {
    place = scratch();
    place.json('init');
    writeAgent(place.directory);
    namespace = await emptyNamespace(`${remote}/32`);
  });
  after(async () => {
    await namespace.remove();
    place.remove();
  });

  /** Whether a server responds in the namespace, to a client that names it by a loopback name. */
  function isHealthy(address: string): boolean {
    const [enter, ...args] = [...namespace.enter, 'curl', '-s', '-H', 'Host: localhost', `${address}healthz`];
    return spawnSync(enter, args, { encoding: 'utf8' }).stdout === '{"status":"ok"}';
  }

  for (const line of commandLines(page, 'serve')) {
    it(line.replace(/ {2,}# /, ': '), async () => {
      ok(servedAt(line).length > 0);
      const env = { ...place.env, PATH: `${place.directory}:${place.env['PATH'] ?? ''}` };
      // The shell gives its place to the program, so that the signal reaches that.
      const command = line.replace('…', token).replace('agent-cli', 'exec agent-cli');
      const [enter, ...args] = [...namespace.enter, '/bin/sh', '-c', command];
      const served = talking(enter, args, env);
      try {
        const hasEnded = (): boolean => served.child.exitCode !== null;
        const isServing = (): boolean => served.lines.some((each) => each.startsWith('serving '));
        await until(() => hasEnded() || (isServing() && servedAt(line).every(isHealthy)), 'the server');
        await served.stop('SIGTERM');
        strictEqual(served.child.exitCode, 0, served.lines.join('\n'));
        match(served.lines.join('\n'), /^stopped after \d+ entries$/m);
      } finally {
        await served.stop();
      }
    });
  }
});
