/** A request for every documented response about wallet and payments, on a local chain. */
import { stranger, owner } from '../support/chain/wallet.js';
import { active, disabled, nobody, type ByStatus } from './contract-requests.js';
import type { GivenOperator } from './given-operator.js';
import { thousand, type PaidOperator } from './given-payments.js';

/** @param given the server, once it is there */
export function paymentRequests(given: () => PaidOperator): Readonly<Record<string, ByStatus>> {
  const missing = `/api/missions/${nobody}`;
  const invoicing = async (): Promise<string> => `/api/missions/${await given().approved()}/invoice`;
  const challenge = async ({ ask }: GivenOperator): Promise<string> => {
    const { message } = (await ask('POST', '/api/wallet/challenge', { body: {} })).body as { message: string };
    return owner.signMessage(message);
  };
  const settled = async ({ ask }: GivenOperator): Promise<string> => {
    const mission = await given().awaiting();
    await ask('POST', `/api/missions/${mission}/settle`, { body: { transaction: (await given().paid()).tx } });
    return mission;
  };
  const unreachable = (): Promise<void> => given().lie(() => null);
  const honest = async (operator: GivenOperator): Promise<void> => {
    await given().lie(null);
    await active(operator, 'chain_read');
  };
  const transaction = `0x${'ab'.repeat(32)}`;
  return {
    'GET /api/wallet': { 200: () => ['/api/wallet'] },
    'POST /api/wallet/challenge': {
      200: async (operator) => {
        await active(operator, 'wallet_bind');
        return ['/api/wallet/challenge', { body: { address: owner.address } }];
      },
      409: () => ['/api/wallet/challenge', { body: { address: stranger.address } }],
      503: async (operator) => {
        await disabled(operator, 'wallet_bind');
        return ['/api/wallet/challenge', { body: {} }];
      },
    },
    'POST /api/wallet/bind': {
      200: async (operator) => {
        await active(operator, 'wallet_bind');
        return ['/api/wallet/bind', { body: { signature: await challenge(operator), address: owner.address } }];
      },
      409: async (operator) => {
        const body = { signature: await challenge(operator), address: owner.address };
        await operator.ask('POST', '/api/wallet/bind', { body });
        return ['/api/wallet/bind', { body }];
      },
      503: async (operator) => {
        await disabled(operator, 'wallet_bind');
        return ['/api/wallet/bind', { body: { signature: await owner.signMessage('x') } }];
      },
    },
    'GET /api/wallet/balance': {
      200: async (operator) => {
        await honest(operator);
        return ['/api/wallet/balance'];
      },
      409: async () => {
        await given().lie(({ method }, truth) => (method === 'eth_blockNumber' ? '0x1' : truth));
        return ['/api/wallet/balance'];
      },
      502: async () => {
        await unreachable();
        return ['/api/wallet/balance'];
      },
      503: async (operator) => {
        await disabled(operator, 'chain_read');
        return ['/api/wallet/balance'];
      },
    },
    'GET /api/invoices': { 200: () => ['/api/invoices?limit=1'] },
    'POST /api/missions/{id}/invoice': {
      201: async (operator) => {
        await honest(operator);
        return [await invoicing(), { body: thousand }];
      },
      404: () => [`${missing}/invoice`, { body: thousand }],
      409: async () => [`/api/missions/${await given().awaiting()}/invoice`, { body: thousand }],
      502: async () => {
        await unreachable();
        return [await invoicing(), { body: thousand }];
      },
      503: async (operator) => {
        await disabled(operator, 'chain_read');
        return [await invoicing(), { body: thousand }];
      },
    },
    'POST /api/invoices/{id}/cancel': {
      200: async (operator) => {
        await honest(operator);
        await active(operator, 'invoice');
        return [`/api/invoices/${await given().awaiting()}/cancel`];
      },
      404: () => [`/api/invoices/${nobody}/cancel`],
      409: async (operator) => {
        const mission = await given().awaiting();
        await operator.ask('POST', `/api/invoices/${mission}/cancel`);
        return [`/api/invoices/${mission}/cancel`];
      },
      503: async (operator) => {
        const mission = await given().awaiting();
        await disabled(operator, 'invoice');
        return [`/api/invoices/${mission}/cancel`];
      },
    },
    'POST /api/missions/{id}/settle': {
      200: async (operator) => {
        await honest(operator);
        await active(operator, 'invoice');
        const mission = await given().awaiting();
        return [`/api/missions/${mission}/settle`, { body: { transaction: (await given().paid()).tx } }];
      },
      404: () => [`${missing}/settle`, { body: { transaction } }],
      409: async () => [`/api/missions/${await given().awaiting()}/settle`, { body: { transaction } }],
      502: async () => {
        const mission = await given().awaiting();
        await unreachable();
        return [`/api/missions/${mission}/settle`, { body: { transaction } }];
      },
      503: async (operator) => {
        await given().lie(null);
        const mission = await given().awaiting();
        await disabled(operator, 'chain_read');
        return [`/api/missions/${mission}/settle`, { body: { transaction } }];
      },
    },
    'GET /api/missions/{id}/verify-receipt': {
      200: async (operator) => {
        await honest(operator);
        return [`/api/missions/${await settled(operator)}/verify-receipt`];
      },
      404: () => [`${missing}/verify-receipt`],
      409: async (operator) => {
        const mission = await settled(operator);
        await given().lie(({ method }, truth) => (method === 'eth_blockNumber' ? '0x0' : truth));
        return [`/api/missions/${mission}/verify-receipt`];
      },
      502: async (operator) => {
        await given().lie(null);
        const mission = await settled(operator);
        await unreachable();
        return [`/api/missions/${mission}/verify-receipt`];
      },
      503: async (operator) => {
        await given().lie(null);
        const mission = await settled(operator);
        await disabled(operator, 'chain_read');
        return [`/api/missions/${mission}/verify-receipt`];
      },
    },
  };
}
