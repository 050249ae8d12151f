/** Formats invoices for people. */
import type { InvoiceRecord, ReceiptRecord, SettleReport } from '../codec/api-invoices.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { tokensText } from '../codec/chain.js';
import type { Colour } from '../pictures/screen.js';
import { listed, type Pair, pairs } from './table.js';
import { paint } from './text.js';

const states: Readonly<Record<InvoiceRecord['state'], { readonly text: string; readonly colour: Colour }>> = {
  awaiting_payment: { text: 'awaits payment', colour: 'yellow' },
  paid: { text: 'paid', colour: 'green' },
  cancelled: { text: 'cancelled', colour: 'grey' },
  expired: { text: 'expired', colour: 'grey' },
};
const stateText = (state: InvoiceRecord['state']): string => paint.out(states[state].colour, states[state].text);

/** Returns what a mission's record shows of its invoice and receipt; null for what there is not. */
export const paymentPairs = ({ invoice, receipt }: MissionRecord): readonly Pair[] => [
  ['invoice', invoice === null ? null : `${stateText(invoice.state)}: ${tokensText(invoice.amount_units)} by ${invoice.payer}`],
  ['request', invoice?.state === 'awaiting_payment' ? invoice.uri : null],
  ['receipt', receipt === null ? null : `${receipt.transaction_hash}, log ${receipt.log_index}, block ${receipt.block_number}`],
];

export const invoiceLines = (invoice: InvoiceRecord): string[] =>
  pairs([
    ['invoice', invoice.id],
    ['mission', invoice.mission],
    ['state', stateText(invoice.state)],
    ['amount', `${tokensText(invoice.amount_units)} (${invoice.amount_units} base units)`],
    ['payer', invoice.payer],
    ['recipient', invoice.recipient],
    ['chain', `${invoice.chain_id} (${invoice.environment === 'mainnet' ? 'mainnet' : 'a test chain'})`],
    ['pay by', invoice.expires_at],
    ['paid by', invoice.transaction_hash === null ? null : `${invoice.transaction_hash}, log ${invoice.log_index}`],
    ['request', invoice.state === 'awaiting_payment' ? invoice.uri : null],
  ]);

/** Returns a QR code of half blocks, two lines of modules in one line of text: dark on light, as scanners need it, on a dark terminal too. */
export async function qrLines(text: string): Promise<string[]> {
  const { default: qrcode } = await import('qrcode');
  const lines = (await qrcode.toString(text, { type: 'utf8', errorCorrectionLevel: 'M' })).split('\n');
  return lines.filter((line) => line !== '').map((line) => paint.out('paper', line));
}

export const invoiceTable = (items: readonly InvoiceRecord[]): string[] =>
  listed(
    { mission: 36, state: 14, 'amount in tokens': 0 },
    items.map(({ mission, state, amount }) => [mission, stateText(state), amount]),
  );

const outcomes: Readonly<Record<SettleReport['outcome'], { readonly text: string; readonly colour: Colour }>> = {
  settled: { text: 'settled', colour: 'green' },
  not_yet: { text: 'not yet', colour: 'yellow' },
  refused: { text: 'refused', colour: 'red' },
};

export function settleLines({ outcome, reason, detail, receipt }: SettleReport): string[] {
  const { text, colour } = outcomes[outcome];
  const paid: readonly Pair[] =
    receipt === null
      ? []
      : [
          ['amount', `${tokensText(receipt.amount_units)} (${receipt.amount_units} base units)`],
          ['transaction', `${receipt.transaction_hash}, log ${receipt.log_index}`],
          ['block', `${receipt.block_number}, ${receipt.confirmations} confirmations`],
          ['earmark', `${tokensText(receipt.earmark_units)}; nothing is sent`],
        ];
  return pairs([['outcome', paint.out(colour, text)], ['reason', reason], ['detail', detail], ...paid]);
}

/** Says what was recorded of a payment, and where to ask whether the chain still has it. */
export const paymentText = ({ amount_units, environment, chain_id, transaction_hash, log_index }: ReceiptRecord): string =>
  `${tokensText(amount_units)}${environment === 'mainnet' ? '' : ` on test chain ${chain_id}`}, ` +
  `${transaction_hash}, log ${log_index}; verify-receipt asks the chain`;
