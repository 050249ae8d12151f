/** The systemd unit: systemd accepts it, what it leaves open is known, and the program needs no system call that it takes away. */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFetch } from '../support/http/fetch.js';
import { program, scratch } from '../support/cli/cli-run.js';
import { compose, compose_secrets, yamlDocument } from '../support/sandbox/compose.js';
import { until } from '../support/app/given-daemon.js';
import { type Talking, talking } from '../support/app/nats.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { hang_ms } from '../support/wait.js';
import { assertNone } from '../support/lists.js';

const unit = join(packageRoot(import.meta.url), 'deploy', 'agent-cli.service');
/** systemd's measure from 0 (closed) to 10, times ten. */
const exposure_max = 15;

/** What systemd finds open, and why it must be. */
const open: Readonly<Record<string, string>> = {
  DeviceAllow: 'ProtectClock allows the clock to be read',
  IPAddressDeny: 'nodes of chains, language models, witnesses and webhooks are where the operator says',
  MemoryDenyWriteExecute: 'V8 compiles JavaScript to machine code while it runs',
  PrivateNetwork: 'it serves',
  RestrictAddressFamilies_AF_INET_INET6: 'it serves',
  RestrictAddressFamilies_AF_UNIX: 'names are resolved by the services of the system',
  RootDirectoryOrRootImage: 'the program is installed in the system',
  SystemCallFilter_resources: 'threads in the background lower their priority',
};

const analyze = (...args: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8', timeout: hang_ms });

interface Finding {
  readonly set: boolean | null;
  readonly name?: string;
  readonly json_field: string;
  readonly exposure: string | null;
}

/** SQLite gives its files to the owner of the database, as root alone; tests may be root, the service is not. */
const as_root = new Set(['fchown']);

/** Returns the system calls of a group of systemd, those of the groups in it included. */
function groupOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name];
  const { status, stdout, stderr } = analyze('syscall-filter', name);
  strictEqual(status, 0, stderr);
  const [, ...lines] = stdout.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).flatMap(groupOf);
}

/** Returns the system calls that the unit allows; systemd adds those without which no program starts (systemd.exec(5)). */
function allowedCalls(): ReadonlySet<string> {
  const allowed = new Set(['execve', 'exit', 'exit_group', 'getrlimit', 'rt_sigreturn', 'clock_nanosleep', 'nanosleep']);
  for (const [, without, names = ''] of readFileSync(unit, 'utf8').matchAll(/^SystemCallFilter=(~?)(.*)$/gm))
    for (const call of names.split(' ').flatMap(groupOf)) {
      if (without === '~') allowed.delete(call);
      else allowed.add(call);
    }
  return allowed;
}

real('systemd', 'the systemd unit', () => {
  const folder = folderForEach();

  it('is correct', () => {
    const copy = join(folder.get(), 'agent-cli.service');
    // systemd looks for a program without a path in the system's directories alone, and there is none here.
    writeFileSync(copy, readFileSync(unit, 'utf8').replace(/^ExecStart=agent-cli/m, `ExecStart=${program}`));
    const { status, stdout, stderr } = analyze('verify', '--man=no', copy);
    deepStrictEqual([status, stdout, stderr], [0, '', '']);
  });

  it('leaves nothing open but what the program needs', () => {
    const { status, stdout, stderr } = analyze('security', '--offline=true', `--threshold=${exposure_max}`, '--json=short', unit);
    strictEqual(status, 0, stderr);
    const findings = JSON.parse(stdout) as readonly Finding[];
    ok(findings.length > 50);
    deepStrictEqual(
      findings
        .filter(({ set, exposure }) => set === false && exposure !== null)
        .map(({ json_field }) => json_field)
        .toSorted(),
      Object.keys(open).toSorted(),
    );
  });
});

real(['systemd', 'strace'], 'the program under the systemd unit', () => {
  it('makes no system call that is taken away, from the first start to a mission, a simulation and the stop', async () => {
    const { directory, env, run, remove } = scratch({ API_TOKEN: 'a-token-of-this-test', PORT: '0' });
    let served: Talking | null = null;
    try {
      const calls = join(directory, 'calls');
      strictEqual(run('init').code, 0);
      strictEqual(run('examples', '--output', join(directory, 'missions')).code, 0);
      const traced = ['-f', '-qq', '-c', '-U', 'name', '-o', calls, process.execPath, program, 'serve', '--port', '0'];
      const { child, lines } = (served = talking('strace', traced, env));
      const address = (name: string): string | undefined =>
        lines.map((line) => new RegExp(`^${name} +(http://\\S+?)/?$`).exec(line)?.[1]).find((each) => each !== undefined);
      await until(() => address('simulation') !== undefined, `the daemon: ${lines.join('\n')}`);
      await usesBoth(address('console') ?? '', address('simulation') ?? '', directory);
      endTraced(served, 'SIGTERM');
      await until(() => child.exitCode !== null, 'its end');
      const made = readFileSync(calls, 'utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /^[a-z]\w+$/.test(line) && line !== 'syscall' && line !== 'total');
      ok(made.length > 40, made.join(' '));
      const allowed = allowedCalls();
      assertNone(made, (call) => !allowed.has(call) && !as_root.has(call));
    } finally {
      // The daemon would go on without strace.
      if (served !== null) endTraced(served, 'SIGKILL');
      await served?.stop();
      remove();
    }
  });
});

/** Sends a signal to the program that strace has started, if it still runs. */
function endTraced({ child: { pid, exitCode } }: Talking, signal: NodeJS.Signals): void {
  if (exitCode !== null) return;
  for (const started of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' '))
    if (started !== '') process.kill(Number(started), signal);
}

/** Executes a mission on the one server and a simulation on the other. */
async function usesBoth(operator: string, simulation: string, directory: string): Promise<void> {
  const authorization = `Bearer ${readFileSync(join(directory, 'home', 'api.token'), 'utf8').trim()}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const mission = readFileSync(join(directory, 'missions', 'allocation.json'));
  const created = await freshFetch(`${operator}/api/missions`, { method: 'POST', headers, body: mission });
  const { id } = (await created.json()) as { readonly id: string };
  const executed = await freshFetch(`${operator}/api/missions/${id}/execute?wait=1`, { method: 'POST', headers, body: '' });
  strictEqual(((await executed.json()) as { readonly state: string }).state, 'review');
  const bearer = { authorization: 'Bearer a-token-of-this-test' };
  const asked = await freshFetch(`${simulation}/simulate`, { method: 'POST', headers: bearer, body: '{}' });
  const run = (await asked.json()) as { readonly id: string };
  await until(async () => (await freshFetch(`${simulation}/results/${run.id}`, { headers: bearer })).ok, 'the simulation');
}

interface Service {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly privileged?: boolean;
  readonly cap_add?: readonly string[];
  readonly devices?: readonly string[];
  readonly volumes?: readonly string[];
  readonly pids_limit?: number;
}

/** Returns the services as docker-compose reads them. */
function readServices(): Readonly<Record<string, Service>> {
  const { code, stdout, stderr } = compose(['config'], compose_secrets);
  strictEqual(code, 0, stderr);
  return (yamlDocument(stdout) as { readonly services: Readonly<Record<string, Service>> }).services;
}

real('compose', 'compose.yaml', () => {
  let services: Readonly<Record<string, Service>> = {};
  before(() => {
    services = readServices();
  });

  it('holds no secret, and reports which one is missing and where it belongs', () => {
    for (const name of ['API_TOKEN', 'AGENT_NATS_TOKEN'] as const) {
      const { code, stderr } = compose(['config'], { ...compose_secrets, [name]: '' });
      notStrictEqual(code, 0);
      match(stderr.replace(/\s+/g, ' '), new RegExp(`${name}.*set it in \\.env; openssl rand -hex 32`));
    }
  });

  it('gives no container a privilege, a root that it can write or the engine', () => {
    const all = Object.entries(services);
    deepStrictEqual(all.map(([name]) => name).toSorted(), ['nats', 'network', 'simulation', 'worker']);
    for (const [name, service] of all) {
      const { read_only, cap_drop, security_opt } = service;
      deepStrictEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']], name);
      deepStrictEqual([service.privileged, service.cap_add, service.devices], [undefined, undefined, undefined], name);
      ok((service.pids_limit ?? 0) > 0, name);
      ok(!(service.volumes ?? []).some((volume) => volume.includes('.sock')), name);
    }
  });

  it('publishes one port, on 127.0.0.1 alone, and puts all others into that network', () => {
    const { network, ...others } = services;
    deepStrictEqual(network?.ports, ['127.0.0.1:8001:8001/tcp']);
    for (const [name, { ports, network_mode }] of Object.entries(others))
      deepStrictEqual([ports, network_mode], [undefined, 'service:network'], name);
  });
});
