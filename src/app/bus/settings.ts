/** The settings of the message bus from the environment, all decoded before anything starts. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as path from 'node:path';
import { bus_pem_bytes_max, bus_token_chars_max } from '../../base/limits.js';
import { isLoopbackHost } from '../../base/loopback.js';
import { RefusalError } from '../../base/refusal.js';
import { integerSetting, refusedSetting, tokenSetting } from '../../base/setting.js';
import { printable } from '../../base/text.js';
import { readInput } from '../../home/files.js';
import { packageRoot } from '../../store/package-root.js';

const bus_token_chars_min = 16;

export interface BusSettings {
  readonly host: string;
  readonly port: number;
  /** Whether the environment names the port. Without one, a daemon whose port is taken runs without the bus. */
  readonly isPortNamed: boolean;
  /** Certificate chain and private key in PEM; null for cleartext. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The token of every client, or null. */
  readonly token: string | null;
}

const port_default = 6_006;
export const busPortVariable = 'AGI_INSIGHT_BUS_PORT';
const names = {
  host: 'AGI_INSIGHT_BUS_HOST',
  cert: 'AGI_INSIGHT_BUS_CERT',
  key: 'AGI_INSIGHT_BUS_KEY',
  token: 'AGI_INSIGHT_BUS_TOKEN',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the settings; null if the port is 0, which turns the bus off. @throws RefusalError `invalid` */
export function busSettings(env: Environment): BusSettings | null {
  const rule = { name: busPortVariable, fallback: port_default, max: 65_535, zero: 'no bus' };
  const port = integerSetting(env[busPortVariable], rule);
  if (port === 0) return null;
  const isPortNamed = Boolean(env[busPortVariable]);
  const host = (env[names.host] || '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  const tls = tlsOf(env[names.cert], env[names.key]);
  const token = busToken(env);
  if (isLoopbackHost(host)) return { host, port, isPortNamed, tls, token };
  const reach = `${names.host} is ${printable(host)}, which other machines can reach`;
  if (tls === null) throw refusedSetting(names.cert, `must be set, with ${names.key}: ${reach}`);
  if (token === null) throw refusedSetting(names.token, `must be set: ${reach}`);
  return { host, port, isPortNamed, tls, token };
}

/** Returns the token of the bus, or null. @throws RefusalError `invalid` */
export function busToken(env: Environment): string | null {
  const text = env[names.token];
  if (text === undefined) return null;
  const token = tokenSetting(names.token, text, bus_token_chars_max);
  if (token.length >= bus_token_chars_min) return token;
  throw refusedSetting(names.token, `has fewer than ${bus_token_chars_min} characters; make one with openssl rand -hex 32`);
}

function tlsOf(certFile: string | undefined, keyFile: string | undefined): BusSettings['tls'] {
  if (!certFile && !keyFile) return null;
  if (!certFile) throw refusedSetting(names.cert, `must be set, as ${names.key} is`);
  if (!keyFile) throw refusedSetting(names.key, `must be set, as ${names.cert} is`);
  const cert = readNamed(names.cert, certFile);
  const key = readNamed(names.key, keyFile);
  const certificate = readPem(names.cert, 'a certificate in PEM', () => new X509Certificate(cert));
  const secret = readPem(names.key, 'a private key in PEM without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(secret)) throw refusedSetting(names.key, `is not the key of the certificate in ${names.cert}`);
  return { cert, key };
}

function readNamed(name: string, file: string): Buffer {
  try {
    return readInput(file, bus_pem_bytes_max);
  } catch (error) {
    throw error instanceof RefusalError ? refusedSetting(name, error.refusal.detail) : error;
  }
}

function readPem<A>(name: string, what: string, read: () => A): A {
  try {
    return read();
  } catch {
    // The library's message says nothing that would help, and could repeat parts of the file.
    throw refusedSetting(name, `must name a file with ${what}`);
  }
}

/** What the message bus counts. `incomplete` is a call that ended before its whole message was received: it was too large, late, or cancelled. */
export const busResults = [
  'handshake',
  'accepted',
  'no_handshake',
  'malformed',
  'unauthorized',
  'too_many',
  'incomplete',
  'not_recorded',
  'failed',
] as const;
export type BusResult = (typeof busResults)[number];

export interface BusFigures {
  /** The number of open connections. */
  readonly peers: () => number;
  /** The number of connections that were closed because of their failures, their silence, or because there were too many. */
  readonly dropped: () => number;
  /** The number of messages by what became of them. */
  readonly messages: () => Readonly<Record<BusResult, number>>;
}

/** The interface definition of the bus. */
export const busProto: string = path.join(packageRoot, 'proto', 'bus.proto');
