/** What `bus send` sends, and where to. */
import { bus_message_bytes_max, bus_pem_bytes_max } from '../../base/limits.js';
import { isLoopbackHost } from '../../base/loopback.js';
import type { Json } from '../../base/canonical-json.js';
import { parseJson, parseJsonBytes } from '../../base/json.js';
import { invalid, isRefused, RefusalError, unwrap } from '../../base/refusal.js';
import { envelope, type Envelope } from '../../codec/bus.js';
import { printable } from '../../base/text.js';
import { decode } from '../../codec/kit.js';
import { ofFile, readInput } from '../../home/files.js';
import { type HomePaths, homePaths } from '../../home/paths.js';
import { readRegularFile } from '../../home/regular-file.js';
import { addressOfDaemon } from '../home/files.js';
import type { World } from '../home/home.js';
import { isTokenText } from '../tokens/authenticate.js';
import { busPortVariable, busToken } from './settings.js';

interface EnvelopeDraft {
  readonly recipient: string;
  readonly from: string;
  /** JSON text. */
  readonly payload?: string | undefined;
  readonly file?: string | undefined;
}

/** Returns the envelope to send. @param now milliseconds since the epoch @throws RefusalError */
export function envelopeOf({ recipient, from, payload, file }: EnvelopeDraft, now: number): Envelope {
  const parsed = file === undefined ? payloadIn(payload ?? '{}') : payloadOf(file);
  return unwrap(decode(envelope, { sender: from, recipient, ts: now / 1_000, payload: parsed }));
}

function payloadIn(text: string): Json {
  const json = parseJson(text);
  if (isRefused(json)) throw new RefusalError(invalid('payload', `must be JSON: ${json.left.detail}`));
  return json.right;
}

const payloadOf = (file: string): Json => ofFile(file, () => unwrap(parseJsonBytes(readInput(file, bus_message_bytes_max))));

export type BusTarget = Readonly<ReturnType<typeof targetOf>>;

interface Target {
  readonly address?: string | undefined;
  readonly tls: boolean;
  readonly ca?: string | undefined;
}

/**
 * Returns where to send, with the token of AGI_INSIGHT_BUS_TOKEN and that of the home. Without an address that is the daemon of the home: another
 * program may listen where its bus would be.
 * @throws RefusalError `engine_unavailable` when the home's daemon serves no bus, or at another port than the environment says
 */
export function targetOf({ address: given, tls, ca }: Target, { env, directory }: World) {
  const trusted = ca === undefined ? null : readInput(ca, bus_pem_bytes_max);
  const paths = homePaths(directory);
  const address = given ?? ownAddress(env, addressOfDaemon(paths.daemon, 'bus'));
  return {
    /** `host:port`. */
    address,
    /** The certificates to trust, in PEM, or the system's; null for cleartext, which is for this machine only. */
    tls: tls || trusted !== null ? { ca: trusted } : null,
    /** The token of the bus, for the envelope. */
    token: busToken(env),
    /** The token of the home whose daemon serves this bus, for the metadata. */
    bearer: homeToken(address, paths),
  };
}

function ownAddress(env: World['env'], served: string | null): string {
  const hint = '--address HOST:PORT sends to the daemon of another home';
  const none = `no daemon of this home serves a message bus: agent-cli serve starts one, unless ${busPortVariable} is 0`;
  if (served === null) throw new RefusalError('engine_unavailable', none, { hint });
  const [host, port] = partsOf(served);
  const wanted = env[busPortVariable];
  if (wanted && wanted !== port) {
    const detail = `the daemon of this home serves its message bus at ${served}, and ${busPortVariable} is ${printable(wanted)}`;
    throw new RefusalError('engine_unavailable', detail, { hint });
  }
  return isLoopbackHost(host) ? served : `127.0.0.1:${port}`;
}

const partsOf = (address: string): readonly [string, string] => [
  address.replace(/:[0-9]+$/, ''),
  /[0-9]+$/.exec(address)?.[0] ?? '',
];

/** Returns api.token if the daemon of the home serves the bus at this address of this machine: no other program may learn the token. */
function homeToken(address: string, { daemon, apiToken }: HomePaths): string | null {
  const served = addressOfDaemon(daemon, 'bus');
  if (served === null) return null;
  const [[host, port], [ownHost, ownPort]] = [partsOf(address), partsOf(served)];
  if (port !== ownPort || !isLoopbackHost(host) || !isLoopbackHost(ownHost)) return null;
  try {
    const text = readRegularFile(apiToken).toString('latin1').trim();
    return isTokenText(text) ? text : null;
  } catch {
    // Whoever may not read it sends as anybody.
    return null;
  }
}
