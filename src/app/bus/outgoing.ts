/** What `bus send` sends, and where to. */
import { bus_message_bytes_max, bus_pem_bytes_max } from '../../base/limits.js';
import { parseJsonBytes } from '../../base/json.js';
import { invalid } from '../../base/refusal.js';
import { isRefused, RefusalError, unwrap } from '../../base/result.js';
import { envelope, type Envelope } from '../../codec/bus.js';
import { decode } from '../../codec/kit.js';
import { readInput } from '../../home/files.js';
import { busAddress, busToken } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

interface Given {
  readonly recipient: string;
  readonly from: string;
  /** JSON text. */
  readonly payload?: string | undefined;
  readonly file?: string | undefined;
}

/** Returns the envelope to send. @param now milliseconds since the epoch @throws RefusalError */
export function envelopeOf({ recipient, from, payload, file }: Given, now: number): Envelope {
  const bytes = file === undefined ? Buffer.from(payload ?? '{}') : readInput(file, bus_message_bytes_max);
  const json = parseJsonBytes(bytes);
  if (isRefused(json)) throw new RefusalError(invalid('payload', `must be JSON: ${json.left.detail}`));
  return unwrap(decode(envelope, { sender: from, recipient, ts: now / 1_000, payload: json.right }));
}

export interface BusTarget {
  /** `host:port`. */
  readonly address: string;
  /** The certificates to trust, in PEM, or the system's; null for cleartext, which is for this machine only. */
  readonly tls: { readonly ca: Buffer | null } | null;
  readonly token: string | null;
}

interface Target {
  readonly address?: string | undefined;
  readonly tls: boolean;
  readonly ca?: string | undefined;
}

/** Returns where to send, with the token of AGI_INSIGHT_BUS_TOKEN. @throws RefusalError */
export function targetOf({ address, tls, ca }: Target, env: Environment): BusTarget {
  const trusted = ca === undefined ? null : readInput(ca, bus_pem_bytes_max);
  return {
    address: address ?? busAddress(env),
    tls: tls || trusted !== null ? { ca: trusted } : null,
    token: busToken(env),
  };
}
