/**
 * How the NATS client connects. Its own transport leaves a connection open that was not made in time, as with a server that hangs or behind a
 * partition: each try would leave another one, and a command would not end before the server closes them.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { Fault, messageOf } from '../../base/refusal.js';

/** What the client says of a failure, and what a person can do about it. */
const clientTexts: Readonly<Record<string, string>> = {
  'Authorization Violation': 'it does not accept the credentials; set AGENT_NATS_CREDS or AGENT_NATS_TOKEN',
  'error connecting - node provided an undefined error': 'it closed the connection',
};

export const connectionFault = (error: unknown): Fault => new Fault(clientTexts[messageOf(error)] ?? messageOf(error), error);

export async function connectOver(options: NodeConnectionOptions): Promise<NatsConnection> {
  const { NatsConnectionImpl, setTransportFactory } = await import('@nats-io/transport-node');
  const { NodeTransport, nodeResolveHost } = await import('@nats-io/transport-node/lib/node_transport.js');
  class ClosingTransport extends NodeTransport {
    override async dial({ hostname: host, port }: { readonly hostname: string; readonly port: number }): Promise<Socket> {
      this.socket = createConnection({ host, port, noDelay: true });
      await once(this.socket, 'connect');
      return this.socket;
    }

    /**
     * The client ends its reading loop at bytes that it cannot parse, and prints them. Here the end of the loop closes the connection, and the
     * client waits for it for ever, so that it prints nothing.
     */
    override [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
      const frames = super[Symbol.asyncIterator]();
      const lose = (): Promise<never> => {
        this.socket?.destroy();
        return new Promise(() => undefined);
      };
      return { next: () => frames.next(), return: lose, [Symbol.asyncIterator]: () => frames };
    }

    override async close(error?: Error): Promise<void> {
      await super.close(error);
      this.socket?.destroy();
    }
  }
  setTransportFactory({ factory: () => new ClosingTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
