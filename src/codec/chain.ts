/** The scalars of an EVM chain. Amounts are decimal texts of base units, never numbers. */
import { text } from './kit.js';

/** An address in its checksummed form (EIP-55). The checksum is verified where an address is read, so that this codec needs no hash function. */
export const address = text({ pattern: /^0x[0-9a-fA-F]{40}$/ });
