/** Homes with approved work to invoice, on a local chain. */
import assert from 'node:assert/strict';
import type { InvoiceRecord, SettleReport } from '../../../src/codec/api-invoices.js';
import type { Home } from '../../../src/app/home/home.js';
import { issueInvoice, type InvoiceOptions } from '../../../src/app/invoices/issue.js';
import { settle } from '../../../src/app/invoices/settle.js';
import type { ChainConfig } from '../../../src/codec/config.js';
import { bound, configureChain } from '../chain/given-chain-home.js';
import { actor, fakeEngine, forecast, produced, review } from './given-home.js';
import { payer } from '../chain/wallet.js';

/** Queues, executes and approves a mission without its engine's work; returns its id. */
export const approved = async (home: Home, goal = 'earn it'): Promise<string> =>
  (await review(home, await produced(home, forecast(goal)), { runEngine: fakeEngine() })).id;

export const invoiced = (home: Home, mission: string, given: Partial<InvoiceOptions> = {}): Promise<InvoiceRecord> =>
  issueInvoice(home, mission, { payer: payer.address, amount_units: '1000', actor, ...given });

/** Configures the chain, binds the wallet and invoices one approved mission for 1000 base units; returns the mission's id. */
export async function awaiting(home: Home, settings: ChainConfig): Promise<string> {
  await configureChain(home, settings);
  await bound(home);
  const mission = await approved(home);
  await invoiced(home, mission);
  return mission;
}

export const settling = (home: Home, mission: string, transaction: string, log_index?: number): Promise<SettleReport> =>
  settle(home, mission, { transaction, log_index, actor });

/** A settlement that does not happen and records nothing; returns its reason, or `not_yet`. */
export async function unsettled(home: Home, mission: string, transaction: string, log_index?: number): Promise<string> {
  const before = home.writer.head;
  const { outcome, reason, receipt } = await settling(home, mission, transaction, log_index);
  assert.deepEqual(home.writer.head, before, 'nothing is recorded');
  assert.equal(receipt, null);
  assert.equal(outcome, reason === null ? 'not_yet' : 'refused');
  return reason ?? outcome;
}
