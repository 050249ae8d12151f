/** keccak256, the hash of the Ethereum Virtual Machine (Keccak's own padding, so not SHA3-256 of FIPS 202). */
import { keccak256 as hashOf } from 'ethers/crypto';

/** `0x` and 64 lower-case hexadecimal digits. */
export const keccak256 = (bytes: Uint8Array): string => hashOf(bytes);
