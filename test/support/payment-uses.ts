/** The uses of the tools for wallet and payments, by the functions that commands call. */
import type { Home } from '../../src/app/home/home.js';
import { bindWallet, issueChallenge } from '../../src/app/wallet/bind.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
import { settle } from '../../src/app/invoices/settle.js';
import { requireChain } from '../../src/app/wallet/chain.js';
import type { OwnToolId } from '../../src/domain/tool-catalog.js';
import { configureChain, silentChain } from './given-chain-home.js';
import { actor } from './given-home.js';
import { event } from './given-events.js';
import { approved } from './given-invoices.js';
import { uuidOf } from './temporary-home.js';
import { owner } from './wallet.js';

interface PaymentUse {
  readonly tool: OwnToolId;
  /** Makes ready while the tool is active; returns the use. */
  readonly prepare: (home: Home) => Promise<() => unknown>;
}

const uses_max = 5;

export const paymentUses: Readonly<Record<string, PaymentUse>> = {
  'a challenge for a wallet': {
    tool: 'wallet_bind',
    prepare: async (home) => () => issueChallenge(home, undefined, actor),
  },
  'binding a wallet': {
    tool: 'wallet_bind',
    prepare: async (home) => {
      const { message } = await issueChallenge(home, owner.address, actor);
      const signature = await owner.signMessage(message);
      return () => bindWallet(home, { signature, actor });
    },
  },
  'cancelling an invoice': {
    tool: 'invoice',
    prepare: async (home) => {
      const id = await approved(home);
      const issued = event('invoice.issued', { mission: id });
      // Each use cancels another one.
      for (let n = 1; n <= uses_max; n++) home.writer.transact((tx) => tx.append(`@invoice:${uuidOf(n)}`, issued));
      let n = 0;
      return async () => {
        const cancelled = await cancelInvoice(home, uuidOf(n + 1), actor);
        n++;
        return cancelled;
      };
    },
  },
  'settling an invoice': {
    tool: 'settle',
    prepare: async (home) => {
      const id = await approved(home);
      return () => settle(home, id, { transaction: `0x${'ab'.repeat(32)}`, log_index: 0, actor });
    },
  },
  'a reading of the chain': {
    tool: 'chain_read',
    prepare: async (home) => {
      await configureChain(home, silentChain);
      return () => requireChain(home);
    },
  },
};
