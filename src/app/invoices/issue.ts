/** `invoice` and `invoice-cancel`: what is asked for an approved result, and from whom. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.js';
import { invoice_expiry_days_max } from '../../base/limits.js';
import { Fault, invalid, RefusalError, unwrap } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { formatTime } from '../../base/time.js';
import { readConfirmed } from '../../chain/confirmed.js';
import { readAddress } from '../../chain/eth-address.js';
import type { InvoiceBody, InvoiceList, InvoiceRecord } from '../../codec/api-invoices.js';
import { amountUnits, sameAddress, unitsOfTokens } from '../../codec/chain.js';
import type { ChainConfig } from '../../codec/config.js';
import { decideInvoice, decideInvoiceCancel, type Invoice, invoiceRefusal, invoiceStream } from '../../domain/invoice.js';
import { recordEvents } from '../../journal/stream.js';
import { readControl } from '../../tables/control.js';
import { invoicesWithPrefix, listInvoices, newestInvoice, readInvoice } from '../../tables/invoices.js';
import type { Db } from '../../store/database.js';
import { type Candidate, idNamed } from '../../base/id-prefix.js';
import { type AskedPage, pageOf } from '../../base/page.js';
import type { Home } from '../home/home.js';
import { requireApprovals } from '../exports/export.js';
import { invoiceRecord, requireMission, uuids } from '../missions/record.js';
import { requireTool } from '../tools/tools.js';
import { refuseChain, requireAddress, requireChain } from '../wallet/bind.js';

const day_ms = 86_400_000;

/** The chain settings that an invoice binds, by their hash. */
export const chainConfigHash = (chain: ChainConfig): string => sha256Hex(canonicalJson(chain));

/** Returns the amount in base units. @throws RefusalError `invalid` unless there is exactly one amount, in bounds */
function amountOf({ amount, amount_units }: Pick<InvoiceBody, 'amount' | 'amount_units'>): string {
  if ((amount === undefined) === (amount_units === undefined))
    throw new RefusalError(invalid('amount', 'give either an amount in tokens or one in base units'));
  const path = amount === undefined ? 'amount_units' : 'amount';
  const given = amount ?? amount_units ?? '';
  const shortest = given.replace(/^0+(?=[0-9])/, '');
  if (shortest !== given && /^[0-9.]+$/.test(given))
    throw new RefusalError(invalid(path, `has leading zeros; write ${shortest}`));
  const units = amount === undefined ? amount_units : unitsOfTokens(amount);
  if (units === null) throw new RefusalError(invalid(path, 'must be a decimal number with at most 18 decimals'));
  if (amountUnits.is(units)) return units;
  const form = path === 'amount' ? 'must be above 0 and below 2^256 base units' : 'must be a whole number from 1 to 2^256 − 1';
  throw new RefusalError(invalid(path, form));
}

export type InvoiceOptions = InvoiceBody & {
  readonly actor: string;
  /** Ends the reading of the chain. */
  readonly signal?: AbortSignal;
};

/** Issues an invoice for an approved result. The chain is read first, so that a payment before it can be told from one for it. */
export async function issueInvoice(
  home: Home,
  mission: string,
  { actor, signal, ...asked }: InvoiceOptions,
): Promise<InvoiceRecord> {
  const amount_units = amountOf(asked);
  const payer = unwrap(readAddress('payer', asked.payer));
  const days = asked.expires_in_days;
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= invoice_expiry_days_max))
    throw new RefusalError(invalid('expires_in_days', `must be from 1 to ${invoice_expiry_days_max}`));
  const refusal = refusalNow(home, mission);
  if (refusal !== null) throw new RefusalError(refusal);
  await requireApprovals(home, mission);
  const chain = requireChain(home);
  if (sameAddress(payer, requireAddress(home.db))) throw new RefusalError(invalid('payer', 'is the bound address itself'));
  const config = readControl(home.db).config_hash;
  const { result_hash } = requireMission(home.db, mission);
  const { at } = await readConfirmed(chain, async () => null, { signal }).catch(refuseChain);
  const id = randomUUID();
  await home.transact((tx) => {
    requireTool(tx.db, 'invoice');
    const control = readControl(tx.db);
    requireSameConfig(config, control.config_hash);
    const now = formatTime(tx.now);
    const document = {
      mission,
      result_hash: result_hash ?? '',
      payer,
      recipient: requireAddress(tx.db),
      amount_units,
      chain_id: chain.chain_id,
      chain_config_hash: chainConfigHash(chain),
      issued_after_block: at.head,
      expires_at: days === undefined ? null : formatTime(tx.now + days * day_ms),
      actor,
    };
    const given = { control, mission: requireMission(tx.db, mission), newest: newestInvoice(tx.db, mission), now, document };
    for (const { invoice, event } of unwrap(decideInvoice(id, given))) tx.append(invoiceStream.nameOf(invoice), event);
  });
  return recorded(home, id);
}

/** Returns what refuses an invoice before the chain is read. */
function refusalNow(home: Home, id: string): ReturnType<typeof invoiceRefusal> {
  const mission = requireMission(home.db, id);
  requireTool(home.db, 'invoice');
  const now = formatTime(home.world.clock());
  return invoiceRefusal(readControl(home.db), mission, newestInvoice(home.db, id), now);
}

/** @throws RefusalError `conflict` when another configuration came into force since `before` was read */
export function requireSameConfig(before: string | null, now: string | null): void {
  if (before === now) return;
  const detail = 'another configuration came into force while the chain was read; nothing was recorded';
  throw new RefusalError('conflict', detail, { hint: 'agent-cli config show' });
}

/** Cancels the invoice that awaits payment. @param id of the invoice or of its mission */
export async function cancelInvoice(home: Home, id: string, actor: string): Promise<InvoiceRecord> {
  const cancelled = await home.transact((tx) => {
    requireTool(tx.db, 'invoice');
    const invoice = findInvoice(tx.db, id);
    recordEvents(tx, invoiceStream, invoice.id, decideInvoiceCancel(readControl(tx.db), invoice, actor));
    return invoice.id;
  });
  return recorded(home, cancelled);
}

/** Returns an invoice by its own id, or the newest one of a mission. @throws RefusalError `not_found` */
function findInvoice(db: Db, id: string): Invoice {
  const invoice = readInvoice(db, id) ?? newestInvoice(db, id);
  if (invoice !== null) return invoice;
  throw new RefusalError('not_found', 'there is no such invoice', { hint: 'agent-cli invoices' });
}

function recorded(home: Home, id: string): InvoiceRecord {
  const invoice = readInvoice(home.db, id);
  if (invoice === null) throw new Fault('the invoice was not recorded');
  return invoiceRecord(home, invoice);
}

// The list of invoices, and the invoice that a person names.

/** Returns one page of invoices, the newest first. */
export function invoices(home: Home, asked: AskedPage): InvoiceList {
  const page = pageOf(
    asked,
    (before, limit) => listInvoices(home.db, { before, limit }),
    ({ issued_seq }) => issued_seq,
  );
  return { ...page, items: page.items.map((invoice) => invoiceRecord(home, invoice)) };
}

/** Returns an invoice's id, or that of the mission that has invoices. @throws RefusalError `invalid`, `not_found` */
export const invoiceNamed = (db: Db, given: string): string =>
  idNamed({ ...uuids, noun: 'invoice', hint: 'agent-cli invoices' }, given, (prefix, limit) => {
    const found = invoicesWithPrefix(db, prefix, limit).flatMap(({ id, mission, state }): Candidate[] => [
      ...(id.startsWith(prefix) ? [{ id, text: `invoice, ${state}` }] : []),
      ...(mission.startsWith(prefix) ? [{ id: mission, text: 'mission' }] : []),
    ]);
    return found.filter(({ id }, i) => found.findIndex((other) => other.id === id) === i);
  });
