/** Wallets of tests, with the messages that they sign: the private keys are anvil's well-known ones. */
import { SigningKey, Wallet, type Signature } from 'ethers';
import { personalHash } from '../../../src/chain/personal-signature.js';

/** The first three accounts of anvil and hardhat (mnemonic "test test … junk"). */
const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const;

export const [owner, payer, stranger] = keys.map((key) => new Wallet(key)) as [Wallet, Wallet, Wallet];

/** Returns a signature as its r, s and v, so that a test can write it in another way. */
export const parts = (wallet: Wallet, message: string): Signature =>
  new SigningKey(wallet.privateKey).sign(personalHash(message));

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0');
const hexByte = (value: number): string => value.toString(16).padStart(2, '0');

/** Returns a signature with another v. */
export const withV = ({ r, s }: Signature, v: number): string => `${r}${s.slice(2)}${hexByte(v)}`;

/** Returns the twin of a signature with n − s, which recovers the same address. */
export const highS = ({ r, s, v }: Signature): string => `${r}${hex32(order - BigInt(s))}${hexByte(v === 27 ? 28 : 27)}`;
