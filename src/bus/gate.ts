/** The refusal of calls whose token is wrong, or missing where one is required. */
import { status } from '@grpc/grpc-js';
import { WrongTokens } from '../base/wrong-tokens.js';
import type { Peer } from './peers.js';

export interface Refused {
  readonly code: status;
  readonly details: string;
}

export const denied: Refused = { code: status.PERMISSION_DENIED, details: 'this connection failed too often and is closed' };

const how = 'send that of the home (api.token) or of the bus (AGI_INSIGHT_BUS_TOKEN) in the metadata, as authorization: Bearer';

/** Counts wrong tokens by connection and, as the HTTP servers do, by address. A correct token always passes. */
export class Gate {
  private readonly wrongTokens = new WrongTokens();

  refuse(peer: Peer, verdict: 'missing' | 'wrong'): Refused {
    const wait_s = verdict === 'wrong' ? this.wrongTokens.failed(peer.address) : 0;
    if (peer.failed()) return denied;
    if (wait_s > 0) return { code: status.RESOURCE_EXHAUSTED, details: `too many wrong tokens; try again in ${wait_s} s` };
    return { code: status.UNAUTHENTICATED, details: `the token is ${verdict}; ${how}` };
  }
}
