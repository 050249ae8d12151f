/** Homes with approved work to invoice, on a local chain. */
import type { InvoiceRecord } from '../../src/codec/api-invoices.js';
import type { Home } from '../../src/app/home/home.js';
import { issueInvoice, type InvoiceOptions } from '../../src/app/invoices/issue.js';
import { actor, fakeEngine, forecast, produced, review } from './given-home.js';
import { payer } from './wallet.js';

/** Queues, executes and approves a mission without its engine's work; returns its id. */
export async function approved(home: Home, goal = 'earn it'): Promise<string> {
  return (await review(home, await produced(home, forecast(goal)), { runEngine: fakeEngine() })).id;
}

export const invoiced = (home: Home, mission: string, given: Partial<InvoiceOptions> = {}): Promise<InvoiceRecord> =>
  issueInvoice(home, mission, { payer: payer.address, amount_units: '1000', actor, ...given });
