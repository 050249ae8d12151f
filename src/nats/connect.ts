/** Connects to NATS servers. Only what is imported here when it is needed loads the client, so that other commands start without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { Fault } from '../base/fault.js';
import { nats_connect_ms_max, nats_ping_ms, nats_pings_max, nats_retry_ms } from '../base/worker-limits.js';
import type { NatsAddress } from '../codec/nats-url.js';
import type { NatsCredentials } from './credentials.js';
import { NatsLink } from './link.js';

/**
 * Connects, with retries until the signal aborts.
 * @param onFailure receives the reason of each failed try
 * @throws the signal's reason
 */
export async function openNats(
  address: NatsAddress,
  credentials: NatsCredentials,
  signal: AbortSignal,
  onFailure: (reason: Error) => void = () => undefined,
): Promise<NatsLink> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connectOnce(address, credentials, signal);
    } catch (error) {
      signal.throwIfAborted();
      onFailure(error instanceof Error ? error : new Fault('the connection failed', error));
    }
    await sleep(nats_retry_ms, undefined, { signal });
  }
}

async function connectOnce(
  { host, port, tls }: NatsAddress,
  { creds, token, ca }: NatsCredentials,
  signal: AbortSignal,
): Promise<NatsLink> {
  const { connect, credsAuthenticator, tokenAuthenticator } = await import('@nats-io/transport-node');
  // In cleartext the name must not lead to another machine, whatever this machine's resolver returns for it.
  const name = !tls && host === 'localhost' ? '127.0.0.1' : host;
  const secured = {
    ...(ca === null ? {} : { ca }),
    // The client would compare the certificate of an IP address with the name localhost.
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
  const connection = await connect({
    servers: `${name.includes(':') ? `[${name}]` : name}:${port}`,
    timeout: nats_connect_ms_max,
    // Addresses that a server announces are not the ones that the operator has named.
    ignoreClusterUpdates: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: nats_retry_ms,
    ignoreAuthErrorAbort: true,
    pingInterval: nats_ping_ms,
    maxPingOut: nats_pings_max,
    tls: tls ? secured : null,
    ...(creds === null ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(token === null ? {} : { authenticator: tokenAuthenticator(token) }),
  });
  try {
    signal.throwIfAborted();
    return await NatsLink.over(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}
