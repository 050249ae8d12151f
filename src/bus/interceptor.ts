/** Judges every call before its handler runs: whether its connection and its token may, and how long its message takes. */
import { ServerInterceptingCall, status, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { bus_message_ms_max, bus_receiving_max } from '../base/bus-limits.js';
import type { BusResult } from '../app/bus/figures.js';
import { keyOf, type Peer, type Peers } from './peers.js';

export const sendPath = '/bus.Bus/Send';

export interface CallRules {
  readonly peers: Peers;
  /** Checks the token of a call's metadata. */
  readonly gate: (given: string | null) => 'pass' | 'missing' | 'wrong';
  readonly message_ms_max?: number | undefined;
  readonly receiving_max?: number | undefined;
  readonly onResult: (result: BusResult) => void;
}

/** Returns the token of the metadata (`authorization: Bearer …`), or null. */
export function bearerOf(metadata: Metadata): string | null {
  const [value] = metadata.get('authorization');
  return value === undefined ? null : (/^Bearer +([!-~]+)$/i.exec(value.toString())?.[1] ?? '');
}

interface Refused {
  readonly code: status;
  readonly details: string;
}

/** Send checks the token of each envelope; every other method needs it in the metadata. */
function denialOf(path: string, metadata: Metadata, peer: Peer, { gate, onResult }: CallRules): Refused | null {
  if (peer.isBarred) return { code: status.PERMISSION_DENIED, details: 'this connection failed too often and is closed' };
  const verdict = path === sendPath ? 'pass' : gate(bearerOf(metadata));
  if (verdict === 'pass') return null;
  onResult('unauthorized');
  const code = peer.failed() ? status.PERMISSION_DENIED : status.UNAUTHENTICATED;
  return { code, details: `the token is ${verdict}; send it in the metadata, as authorization: Bearer` };
}

export function callRules(rules: CallRules): ServerInterceptor {
  const { peers, message_ms_max = bus_message_ms_max, receiving_max = bus_receiving_max, onResult } = rules;
  let receiving = 0;
  return ({ path }, call) => {
    const { remoteAddress = '', remotePort = 0 } = call.getConnectionInfo();
    const peer = peers.get(keyOf(remoteAddress, remotePort));
    let timer: NodeJS.Timeout | null = null;
    const received = (): void => {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      receiving--;
    };
    const ended = (): void => {
      if (timer !== null) onResult('incomplete');
      received();
    };
    const expect = (): void => {
      receiving++;
      const late = { code: status.DEADLINE_EXCEEDED, details: 'the message did not arrive in time' };
      timer = setTimeout(() => {
        ended();
        call.sendStatus(late);
      }, message_ms_max);
    };
    return new ServerInterceptingCall(call, {
      start: (next) => {
        peer?.called();
        next({
          onReceiveMetadata: (metadata, go) => {
            const denial = peer === null ? null : denialOf(path, metadata, peer, rules);
            if (peer === null) call.sendStatus({ code: status.UNAVAILABLE, details: 'the connection has ended' });
            else if (denial !== null) call.sendStatus(denial);
            else if (receiving >= receiving_max) {
              onResult('too_many');
              call.sendStatus({ code: status.RESOURCE_EXHAUSTED, details: 'too many messages are being received' });
            } else {
              expect();
              go(metadata);
            }
          },
          onReceiveMessage: (message, go) => {
            received();
            go(message);
          },
          onCancel: ended,
        });
      },
      sendStatus: (sent, go) => {
        ended();
        go(sent);
      },
    });
  };
}
