/** Events of the stream `@wallet`. A challenge's message is public, and a signature of it permits nothing; no private key is ever recorded. */
import { address } from '../chain.js';
import { declare } from '../event-type.js';
import { nullable, required, text } from '../kit.js';
import { causedBy, time } from '../scalars.js';

export const nonce = text({ pattern: /^[0-9a-f]{32}$/ });

export const challenge = {
  /** The text to sign. It replaces the challenge before it. */
  message: required(text({ min: 1, max: 1_000 })),
  nonce: required(nonce),
  /** The address that is expected to sign; null when the challenge names none. */
  address: required(nullable(address)),
  issued_at: required(time),
  expires_at: required(time),
};

export const walletEvents = [
  declare('wallet.challenged', { ...challenge, ...causedBy }),
  declare('wallet.bound', {
    address: required(address),
    nonce: required(nonce),
    /** 65 bytes in hexadecimal, over the challenge with this nonce (EIP-191): anybody can recover the address from it. */
    signature: required(text({ pattern: /^0x[0-9a-f]{130}$/ })),
    ...causedBy,
  }),
] as const;
