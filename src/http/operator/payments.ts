/** The wallet, invoices and settlement. Reading the chain never holds other requests, and nothing is sent to it. */
import { firstAbort } from '../../base/first-abort.js';
import { cancelInvoice, invoices, issueInvoice } from '../../app/invoices/issue.js';
import { settle } from '../../app/invoices/settle.js';
import { verifyReceipt } from '../../app/invoices/verify-receipt.js';
import { bindWallet, issueChallenge, showWallet, walletBalance } from '../../app/wallet/bind.js';
import { page_items_max } from '../../base/limits.js';
import { type Refusal, RefusalError } from '../../base/refusal.js';
import {
  invoiceBody,
  invoiceListCodec,
  invoiceParams,
  invoiceRecordCodec,
  receiptVerificationCodec,
  settleBody,
  type SettleReport,
  settleReportCodec,
} from '../../codec/api-invoices.js';
import { missionParams } from '../../codec/api-missions.js';
import {
  bindBody,
  boundWalletCodec,
  challengeBody,
  walletBalanceCodec,
  walletChallengeCodec,
  walletCodec,
} from '../../codec/api-wallet.js';
import { integerText, object, optional, text } from '../../codec/kit.js';
import { endpoint, type Endpoint, json, jsonEndpoint, problem } from '../core/endpoint.js';
import { homeFor, type Operator } from './operator.js';
import type { Actor } from '../core/context.js';

const listQuery = object('InvoiceListQuery', {
  limit: optional(integerText(1, page_items_max)),
  cursor: optional(text({ pattern: /^[1-9][0-9]{0,15}$/ })),
});

const noMission = problem('No such mission');
const unreachable = problem("The chain's node gave no usable response");
const noReading = problem('No chain is configured, a tool is not active, too many readings are in progress, or the daemon stops');

export const paymentEndpoints = (operator: Operator): readonly Endpoint[] => {
  const chain = new ChainReadings(operator.stopping);
  return [...walletEndpoints(operator, chain), ...invoiceEndpoints(operator, chain), ...settlementEndpoints(operator, chain)];
};

const walletEndpoints = ({ daemon }: Operator, chain: ChainReadings): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/wallet',
    auth: 'viewer',
    summary: 'The bound address',
    responses: { 200: { description: 'The address; null before a binding', body: walletCodec } },
    handle: () => json(200, showWallet(daemon.home)),
  }),
  endpoint({
    route: 'GET /api/wallet/balance',
    auth: 'viewer',
    summary: 'The tokens of the bound address, read at a confirmed block',
    responses: {
      200: { description: 'The balance', body: walletBalanceCodec },
      409: problem('No wallet is bound, or the chain has too few blocks'),
      502: unreachable,
      503: noReading,
    },
    handle: async (input) => json(200, await chain.read(input, (signal) => walletBalance(daemon.home, signal))),
  }),
  jsonEndpoint({
    route: 'POST /api/wallet/challenge',
    auth: 'admin',
    summary: 'Issue a message to sign with the wallet; it replaces the previous one',
    body: challengeBody,
    responses: {
      200: { description: 'The challenge, valid for ten minutes, for one use', body: walletChallengeCodec },
      409: problem('Another address is bound'),
      503: problem('The tool wallet_bind is not active'),
    },
    handle: async (input) => json(200, await issueChallenge(homeFor({ daemon }, input), input.body.address, input.actor.name)),
  }),
  jsonEndpoint({
    route: 'POST /api/wallet/bind',
    auth: 'admin',
    summary:
      'Bind the address that signed the newest challenge; without an expected address, facts.address says which one that is',
    body: bindBody,
    responses: {
      200: { description: 'The bound address', body: boundWalletCodec },
      409: problem('The challenge expired or was used or superseded, or another address is bound'),
      503: problem('The tool wallet_bind is not active'),
    },
    handle: async (input) => json(200, await bindWallet(homeFor({ daemon }, input), { ...input.body, actor: input.actor.name })),
  }),
];

const invoiceEndpoints = ({ daemon }: Operator, chain: ChainReadings): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/invoices',
    auth: 'viewer',
    summary: 'Invoices, the newest first',
    query: listQuery,
    responses: { 200: { description: 'A page of invoices', body: invoiceListCodec } },
    handle: ({ query }) => json(200, invoices(daemon.home, query)),
  }),
  jsonEndpoint({
    route: 'POST /api/missions/{id}/invoice',
    auth: 'admin',
    summary: 'Ask for payment of an approved result to the bound address; the amount is in tokens or in base units',
    params: missionParams,
    body: invoiceBody,
    responses: {
      201: { description: 'The invoice', body: invoiceRecordCodec },
      404: noMission,
      409: problem('The mission is not approved or has an open invoice, no wallet is bound, or the agent is paused'),
      502: unreachable,
      503: noReading,
    },
    handle: async (input) => {
      const { body, params } = input;
      const [home, actor] = [homeFor({ daemon }, input), input.actor.name];
      return json(201, await chain.read(input, (signal) => issueInvoice(home, params.id, { ...body, actor, signal })));
    },
  }),
  endpoint({
    route: 'POST /api/invoices/{id}/cancel',
    auth: 'admin',
    summary: 'Cancel an invoice that awaits payment; the id is its own or its mission’s',
    params: invoiceParams,
    responses: {
      200: { description: 'The cancelled invoice', body: invoiceRecordCodec },
      404: problem('No such invoice'),
      409: problem('The invoice does not await payment, or the agent is paused'),
      503: problem('The tool invoice is not active'),
    },
    handle: async (input) => json(200, await cancelInvoice(homeFor({ daemon }, input), input.params.id, input.actor.name)),
  }),
];

const settlementEndpoints = ({ daemon }: Operator, chain: ChainReadings): readonly Endpoint[] => [
  jsonEndpoint({
    route: 'POST /api/missions/{id}/settle',
    auth: 'admin',
    summary:
      'Verify on the chain that the invoice was paid, and record the receipt; without log_index the one matching log is found',
    params: missionParams,
    body: settleBody,
    responses: {
      200: { description: 'The payment is settled', body: settleReportCodec },
      404: noMission,
      409: problem(
        'Nothing was recorded: not_yet, or settlement_refused with facts.reason; several matching logs; or the agent is paused',
      ),
      502: unreachable,
      503: noReading,
    },
    handle: async (input) => {
      const { body, params } = input;
      const [home, actor] = [homeFor({ daemon }, input), input.actor.name];
      return json(200, settled(await chain.read(input, (signal) => settle(home, params.id, { ...body, actor, signal }))));
    },
  }),
  endpoint({
    route: 'GET /api/missions/{id}/verify-receipt',
    auth: 'viewer',
    summary: 'Compare the receipt with the chain again, using the configured node',
    params: missionParams,
    responses: {
      200: { description: 'The outcome, failed checks included', body: receiptVerificationCodec },
      404: problem('No such mission, or it has no receipt'),
      409: problem('The chain has too few blocks'),
      502: unreachable,
      503: noReading,
    },
    handle: async (input) =>
      json(200, await chain.read(input, (signal) => verifyReceipt(daemon.home, input.params.id, undefined, signal))),
  }),
];

/** @throws RefusalError `not_yet` or `settlement_refused`, with the reason, for a payment that was not recorded */
function settled(report: SettleReport): SettleReport {
  const { outcome, reason, detail } = report;
  if (outcome === 'settled') return report;
  if (outcome === 'not_yet') throw new RefusalError('not_yet', detail);
  throw new RefusalError('settlement_refused', detail, { facts: { reason } });
}

// The readings of the chain that requests have begun: bounded in number, in all and for each actor, and each ended with its request.

/** Readings of the chain that requests have begun, in all and of one actor. */
const chain_readings_max = 16;
export const chain_readings_per_actor_max = 4;

interface Asking {
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

class ChainReadings {
  /** The actor of each reading. */
  private readonly running: string[] = [];

  /** @param stopping aborts when the daemon begins to stop */
  constructor(private readonly stopping: AbortSignal) {}

  /**
   * Runs work that reads the chain, in at most the time of one reading.
   * @throws RefusalError `busy` when too many readings are in progress, `interrupted` when the daemon stops
   */
  async read<A>(input: Asking, work: (signal: AbortSignal) => Promise<A>): Promise<A> {
    const { name } = input.actor;
    const own = this.running.filter((other) => other === name).length;
    if (this.running.length >= chain_readings_max || own >= chain_readings_per_actor_max) throw new RefusalError(busy);
    this.running.push(name);
    try {
      return await work(firstAbort(input.signal, this.stopping));
    } catch (error) {
      if (this.stopping.aborted && isUnreachable(error)) throw new RefusalError(interrupted);
      throw error;
    } finally {
      this.running.splice(this.running.indexOf(name), 1);
    }
  }
}

const isUnreachable = (error: unknown): boolean => error instanceof RefusalError && error.refusal.code === 'chain_unreachable';

const retry_after_s = 5;
const busy: Refusal = {
  code: 'busy',
  detail: 'too many readings of the chain are in progress; try again in a while',
  facts: { retry_after_s },
};
const interrupted: Refusal = { code: 'interrupted', detail: 'the daemon stops; nothing was recorded' };
