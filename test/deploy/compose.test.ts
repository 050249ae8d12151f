/** compose.yaml as Docker Compose reads it: what it allows, publishes and demands. test/sandbox/image.test.ts runs it. */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { compose, compose_secrets, yamlDocument } from '../support/compose.js';
import { real } from '../support/real.js';

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
function services(): Readonly<Record<string, Service>> {
  const { code, stdout, stderr } = compose(['config'], compose_secrets);
  strictEqual(code, 0, stderr);
  return (yamlDocument(stdout) as { readonly services: Readonly<Record<string, Service>> }).services;
}

real('compose', 'compose.yaml', () => {
  it('holds no secret, and reports which one is missing and where it belongs', () => {
    for (const name of ['API_TOKEN', 'AGENT_NATS_TOKEN'] as const) {
      const { code, stderr } = compose(['config'], { ...compose_secrets, [name]: '' });
      notStrictEqual(code, 0);
      match(stderr.replace(/\s+/g, ' '), new RegExp(`${name}.*set it in \\.env; openssl rand -hex 32`));
    }
  });

  it('gives no container a privilege, a root that it can write or the engine', () => {
    const all = Object.entries(services());
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
    const { network, ...others } = services();
    deepStrictEqual(network?.ports, ['127.0.0.1:8001:8001/tcp']);
    for (const [name, { ports, network_mode }] of Object.entries(others))
      deepStrictEqual([ports, network_mode], [undefined, 'service:network'], name);
  });
});
