/** A client of the message bus: one connection, the handshake, one envelope. */
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { Client, credentials, logVerbosity, Metadata, setLogVerbosity, status, type ServiceError } from '@grpc/grpc-js';
import { invalid, type RefusalCode, RefusalError } from '../base/refusal.js';
import { isLoopbackHost } from '../base/loopback.js';
import { printable, shorten } from '../base/text.js';
import { accepted, handshake, type Envelope } from '../codec/bus.js';
import type { BusTarget } from '../app/bus/outgoing.js';

/** Time for a client's call. */
const bus_client_ms_max = 10_000;

const codes: Readonly<Partial<Record<status, RefusalCode>>> = {
  [status.INVALID_ARGUMENT]: 'invalid',
  [status.UNAUTHENTICATED]: 'unauthorized',
  [status.PERMISSION_DENIED]: 'forbidden',
  [status.RESOURCE_EXHAUSTED]: 'busy',
  [status.FAILED_PRECONDITION]: 'wrong_state',
  [status.UNAVAILABLE]: 'engine_unavailable',
  [status.DEADLINE_EXCEEDED]: 'engine_unavailable',
};

/** Sends an envelope; resolves once the server has recorded it. @throws RefusalError */
export async function sendEnvelope({ address, tls, token, bearer }: BusTarget, envelope: Envelope): Promise<void> {
  const host = /^(.+):[0-9]{1,5}$/.exec(address)?.[1];
  if (host === undefined) throw new RefusalError(invalid('address', 'must be HOST:PORT'));
  if (tls === null && !isLoopbackHost(host))
    throw new RefusalError(invalid('address', `${printable(host)} is not this machine: --tls encrypts the connection`));
  const options = { 'grpc.enable_retries': 0, 'grpc.enable_http_proxy': 0, ...(tls === null ? {} : namedFor(host)) };
  // The library prints metadata of the server that it refuses.
  setLogVerbosity(logVerbosity.NONE);
  const client = new Client(address, tls === null ? credentials.createInsecure() : secureFor(host, tls.ca), options);
  try {
    const metadata = new Metadata();
    if (bearer !== null) metadata.set('authorization', `Bearer ${bearer}`);
    const say = (message: string, expected: string): Promise<void> =>
      exchange(client, { address, tls, metadata, message, expected });
    await say(handshake, handshake);
    await say(JSON.stringify(token === null ? envelope : { ...envelope, token }), accepted);
  } finally {
    client.close();
  }
}

const addressOf = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** What TLS names to a server that has only an address, which RFC 6066, section 3, allows no client to name: Node 26 refuses it. */
const namedFor = (host: string): object => (isIP(addressOf(host)) === 0 ? {} : { 'grpc.ssl_target_name_override': 'ip.invalid' });

/** Compares the certificate with the host of the address, whatever name was told. */
const secureFor = (host: string, ca: Buffer | null) =>
  credentials.createSsl(ca, null, null, {
    checkServerIdentity: (_, certificate) => checkServerIdentity(addressOf(host), certificate),
  });

const same = (bytes: Buffer): Buffer => bytes;

interface Exchange extends Pick<BusTarget, 'address' | 'tls'> {
  readonly metadata: Metadata;
  readonly message: string;
  readonly expected: string;
}

/** Sends one message. @throws RefusalError unless the response is the expected one */
async function exchange(client: Client, { address, tls, metadata, message, expected }: Exchange): Promise<void> {
  const answer = await new Promise<string>((resolve, reject) => {
    const options = { deadline: Date.now() + bus_client_ms_max };
    client.makeUnaryRequest('/bus.Bus/Send', same, same, Buffer.from(message), metadata, options, (error, bytes) => {
      if (error === null) resolve(bytes?.toString('utf8') ?? '');
      else reject(refusalOf(error, { address, tls }));
    });
  });
  if (answer === expected) return;
  throw new RefusalError('execution_failed', `${address} responds, but not as a message bus`);
}

/** What gRPC says when no server took the call, before the cause. A server that cannot record says UNAVAILABLE too, with its own words. */
const unreached = /^(?:No connection established\. Last error: (?:Error: )?|(?=Name resolution failed|Deadline exceeded))/;

function refusalOf({ code, details }: ServiceError, { address, tls }: Pick<BusTarget, 'address' | 'tls'>): RefusalError {
  if (!unreached.test(details)) return new RefusalError(codes[code] ?? 'execution_failed', shorten(printable(details), 500));
  const cause = details.replace(unreached, '').replace(/\.?\s+Resolution note:.*$/s, '');
  const isTls = tls === null && cause.startsWith('Failed to connect');
  const hint = isTls ? '--tls or --ca FILE, if the bus has a certificate' : '--ca FILE trusts the certificate in FILE';
  const detail = `no message bus responds at ${address}: ${shorten(printable(cause), 500)}`;
  return new RefusalError('engine_unavailable', detail, isTls || cause.includes('certificate') ? { hint } : {});
}
