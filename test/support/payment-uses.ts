/** The uses of the tools for wallet and payments, by the functions that commands call. */
import type { Home } from '../../src/app/home/home.js';
import { bindWallet, issueChallenge } from '../../src/app/wallet/bind.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
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
      let n = 0;
      return () => {
        const invoice = uuidOf(++n);
        home.writer.transact((tx) => tx.append(`@invoice:${invoice}`, issued));
        return cancelInvoice(home, invoice, actor);
      };
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
