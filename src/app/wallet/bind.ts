/** `wallet-challenge` and `wallet-bind`: proves control of an address by a signature that is made elsewhere. */
import { randomBytes } from 'node:crypto';
import { Fault, invalid, isRefused, type Refusal, type RefusalCode, RefusalError, unwrap } from '../../base/refusal.js';
import { formatTime } from '../../base/time.js';
import { ChainError, type Verdict } from '../../chain/node.js';
import { readConfirmed, tokenBalance } from '../../chain/confirmed.js';
import { readAddress } from '../../chain/eth-address.js';
import { type PersonalSignature, readPersonalSignature, signerOf } from '../../chain/personal-signature.js';
import type { BoundWallet, WalletBalance, WalletChallenge, WalletRecord } from '../../codec/api-wallet.js';
import { decideBind, decideChallenge, openChallenge, walletName, walletStream } from '../../domain/wallet.js';
import { entryInPlace, recordEvents, storedEntries } from '../../journal/stream.js';
import { readWallet } from '../../tables/wallet.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/tools.js';
import { environmentOf, inTokens, sameAddress } from '../../codec/chain.js';
import type { ChainConfig } from '../../codec/config.js';

/** All calls together that only make a refusal more precise. */
const chain_explain_ms_max = 5_000;
export const wallet_challenge_ms = 600_000;
/** Earlier challenges among which the one is looked for that a signature belongs to. */
const wallet_challenges_searched_max = 100;

const nonce_bytes = 16;

/** Returns the text that the wallet signs. Its lines are fixed: whoever signs it can read what it is for, and until when. */
const challengeMessage = (
  identity: string,
  { nonce, address, issued_at, expires_at }: Omit<IssuedChallenge, 'message'>,
): string =>
  [
    'agent-cli wallet binding v1',
    `Identity: ${identity}`,
    ...(address === null ? [] : [`Address: ${address}`]),
    `Nonce: ${nonce}`,
    `Issued At: ${issued_at}`,
    `Expiration Time: ${expires_at}`,
    'This signature proves control of an address. It permits no spending and proves no name.',
  ].join('\n');

type IssuedChallenge = WalletChallenge & { readonly issued_at: string };

/** Issues a challenge, which supersedes the one before. @param address the address that will sign; undefined when it is not known yet */
export async function issueChallenge(home: Home, address: string | undefined, actor: string): Promise<WalletChallenge> {
  const expected = address === undefined ? null : unwrap(readAddress('address', address));
  const nonce = randomBytes(nonce_bytes).toString('hex');
  return home.transact((tx) => {
    requireTool(tx.db, 'wallet_bind');
    const times = { issued_at: formatTime(tx.now), expires_at: formatTime(tx.now + wallet_challenge_ms) };
    const unsigned = { nonce, address: expected, ...times };
    const challenge = { ...unsigned, message: challengeMessage(home.signer.identity, unsigned) };
    recordEvents(tx, walletStream, walletName, decideChallenge(readWallet(tx.db), { ...challenge, actor }));
    const { issued_at: _, ...shown } = challenge;
    return shown;
  });
}

/** Returns the bound address; nulls before a binding. */
export function showWallet(home: Home): WalletRecord {
  const { address, bound_at } = readWallet(home.db) ?? { address: null, bound_at: null };
  return { address, bound_at };
}

export interface BindOptions {
  readonly signature: string;
  /** The address that the caller expects; undefined for that of the challenge. */
  readonly address?: string | undefined;
  readonly actor: string;
}

/**
 * Binds the address that signed the newest challenge.
 * @throws RefusalError `invalid` without an expected address: it names the recovered one, which the caller has to confirm
 */
export async function bindWallet(home: Home, options: BindOptions): Promise<BoundWallet> {
  try {
    return await bind(home, options);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw new RefusalError(await explained(home, error.refusal, options.address));
  }
}

async function bind(home: Home, { signature, address, actor }: BindOptions): Promise<BoundWallet> {
  const parts = unwrap(readPersonalSignature(signature));
  const expected = address === undefined ? null : unwrap(readAddress('address', address));
  return home.transact((tx) => {
    requireTool(tx.db, 'wallet_bind');
    const now = formatTime(tx.now);
    const { message, nonce, address: named } = unwrap(openChallenge(readWallet(tx.db), now));
    const recovered = unwrap(signerOf(message, parts));
    const binding = { now, recovered, expected, signature: signature.toLowerCase(), actor };
    const decided = decideBind(readWallet(tx.db), binding);
    if (isRefused(decided)) refuseSuperseded(tx.db, { parts, expected: expected ?? named, nonce });
    recordEvents(tx, walletStream, walletName, decided);
    const bound = readWallet(tx.db);
    if (bound === null || bound.address === null || bound.bound_at === null) throw new Fault('the binding was not recorded');
    return { address: bound.address, bound_at: bound.bound_at };
  });
}

interface RefusedSignature {
  readonly parts: PersonalSignature;
  readonly expected: string | null;
  /** The nonce of the newest challenge. */
  readonly nonce: string;
}

/** Refuses a signature of an earlier challenge by the expected address as what it is, in place of "another key made it". */
function refuseSuperseded(db: Db, { parts, expected, nonce }: RefusedSignature): void {
  if (expected === null) return;
  for (const row of storedEntries(db, walletStream, walletName).slice(-wallet_challenges_searched_max)) {
    const { event } = entryInPlace(db, row);
    if (event?.type !== 'wallet.challenged' || event.document.nonce === nonce) continue;
    const signer = signerOf(event.document.message, parts);
    if (isRefused(signer) || !sameAddress(signer.right, expected)) continue;
    const detail = 'the signature is of an earlier challenge, which a newer one replaced';
    throw new RefusalError('wrong_state', detail, { hint: 'agent-cli wallet-challenge' });
  }
}

/** The beginning of an account's code that delegates to a contract (EIP-7702): the account still has its key and signs with it. */
const delegation = 'ef0100';

/**
 * Returns the refusal of a signature, or a more precise one: a contract wallet has no key that could have made it. A chain that cannot be read
 * changes nothing.
 * @param address that the caller named; undefined for the challenge's
 */
async function explained(home: Home, refusal: Refusal, address: string | undefined): Promise<Refusal> {
  if (refusal.code !== 'invalid' || refusal.errors?.[0]?.path !== 'signature') return refusal;
  const named = address ?? readWallet(home.db)?.challenge.address ?? null;
  const expected = named === null ? null : readAddress('address', named);
  if (expected === null || isRefused(expected)) return refusal;
  const code = await codeOf(home, expected.right);
  if (code === null || code.length === 0 || code.toString('hex').startsWith(delegation)) return refusal;
  return invalid('address', contractWallet(expected.right));
}

const contractWallet = (address: string): string =>
  `${address} is a contract wallet: code on the chain judges its signatures (EIP-1271), and no key proves control of it, so it cannot be bound; ` +
  'bind an account that has a key';

/** Returns the code at an address; null where no chain is configured, or it cannot be read now. */
async function codeOf(home: Home, address: string): Promise<Buffer | null> {
  try {
    const settings = requireChain(home);
    return (await readConfirmed(settings, (node, { hash }) => node.code(address, hash), { ms_max: chain_explain_ms_max })).value;
  } catch (error) {
    if (error instanceof ChainError || error instanceof RefusalError) return null;
    throw error;
  }
}

// Reading the chain: whether it may be read, how its errors are shown, and the balance of the bound address.

/** Returns the configured chain. @throws RefusalError `chain_unconfigured`, or `tool_disabled` while the tool is stopped */
export function requireChain(home: Home): ChainConfig {
  const { chain } = home.config();
  if (chain === null) {
    const detail = 'the configuration names no chain: set "chain" with rpc_url, chain_id and token_code_sha256';
    throw new RefusalError('chain_unconfigured', detail, { hint: 'agent-cli config show' });
  }
  requireTool(home.db, 'chain_read');
  return chain;
}

const codes: Readonly<Partial<Record<Verdict, RefusalCode>>> = { unreachable: 'chain_unreachable', not_yet: 'not_yet' };

/** @throws RefusalError that says why a reading ended without a value; any other error as it is */
export function refuseChain(error: unknown): never {
  if (!(error instanceof ChainError)) throw error;
  const { verdict, message } = error;
  const code = codes[verdict];
  if (code !== undefined) throw new RefusalError(code, message);
  throw new RefusalError('verification_failed', message, { facts: { reason: verdict }, hint: 'agent-cli config show' });
}

/** Returns the bound address. @throws RefusalError `wrong_state` before a binding */
export function requireAddress(db: Db): string {
  const address = readWallet(db)?.address ?? null;
  if (address !== null) return address;
  throw new RefusalError('wrong_state', 'no wallet is bound to this home', { hint: 'agent-cli wallet-challenge' });
}

/** @param signal ends the reading of the chain */
export async function walletBalance(home: Home, signal?: AbortSignal): Promise<WalletBalance> {
  const chain = requireChain(home);
  const address = requireAddress(home.db);
  const reading = readConfirmed(chain, (node, block) => tokenBalance(node, address, block), { signal });
  const { at, value } = await reading.catch(refuseChain);
  const { number: block_number, hash: block_hash } = at;
  const balance_units = String(value);
  const place = { chain_id: chain.chain_id, environment: environmentOf(chain.chain_id), block_number, block_hash };
  return { address, balance_units, balance: inTokens(balance_units), ...place };
}
