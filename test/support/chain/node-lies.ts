/** What lying and broken nodes say, for tests of everything that reads the chain. */
import { chain_answer_bytes_max } from '../../../src/chain/node.js';
import type { LyingNode } from './lying-node.js';

type Json = Record<string, unknown>;
type Logs = { readonly logs: readonly Json[] };

/** A lie about the receipt alone. */
const receipt =
  (change: (truth: Json & Logs) => unknown): LyingNode['lie'] =>
  ({ method }, truth) =>
    method === 'eth_getTransactionReceipt' ? change(truth as Json & Logs) : truth;
const inBoth = (change: Json, inLogs: Json): LyingNode['lie'] =>
  receipt((truth) => ({ ...truth, ...change, logs: truth.logs.map((log) => ({ ...log, ...inLogs })) }));
const inLog = (change: Json): LyingNode['lie'] => inBoth({}, change);
const [other, beyond, stranger] = [`0x${'1'.repeat(64)}`, `0x${'f'.repeat(64)}`, `0x${'12'.repeat(20)}`];

/** What a node says of a payment, by the reason that it is refused for; `not_yet` where it may be paid later. */
export const lies: Readonly<Record<string, readonly (readonly [string, LyingNode['lie']])[]>> = {
  transaction_failed: [['the right log in a failed transaction', inBoth({ status: '0x0' }, {})]],
  log_removed: [['a removed log', inLog({ removed: true })]],
  log_missing: [
    ['no logs', receipt((truth) => ({ ...truth, logs: [] }))],
    ['an event of the token that is no transfer', inLog({ topics: [other] })],
    ['a transfer with the amount among the topics', inLog({ data: '0x' })],
  ],
  wrong_token: [['the log of another contract', inLog({ address: stranger })]],
  wrong_amount: [
    ['an amount beyond any', inLog({ data: beyond })],
    [
      'an amount beyond any, beside a log of a wallet',
      receipt(({ logs: [log], ...truth }) => ({
        ...truth,
        logs: [
          { ...log, data: beyond },
          { ...log, address: stranger, logIndex: '0x99' },
        ],
      })),
    ],
  ],
  block_not_canonical: [['a receipt of a block that was reorganised away', inBoth({ blockHash: other }, { blockHash: other })]],
  node_inconsistent: [
    ['the receipt of another transaction', inBoth({ transactionHash: other }, {})],
    ['a log of another transaction', inLog({ transactionHash: other })],
    ['a log of another block', inLog({ blockHash: other })],
    ['a log with another block number', inLog({ blockNumber: '0x1' })],
    ['two logs of one index', receipt((truth) => ({ ...truth, logs: [...truth.logs, ...truth.logs] }))],
    ['a head that goes back', ({ method, nth }, truth) => (method === 'eth_blockNumber' && nth > 1 ? '0x1' : truth)],
  ],
  wrong_chain: [['another chain', ({ method }, truth) => (method === 'eth_chainId' ? '0x1' : truth)]],
  wrong_code: [
    ['other code', ({ method }, truth) => (method === 'eth_getCode' ? `${String(truth)}00` : truth)],
    ['no code', ({ method }, truth) => (method === 'eth_getCode' ? '0x' : truth)],
  ],
  wrong_decimals: [
    ['6 decimals', ({ method }, truth) => (method === 'eth_call' ? `0x${'6'.padStart(64, '0')}` : truth)],
    ['no decimals', ({ method }, truth) => (method === 'eth_call' ? '0x' : truth)],
  ],
  not_yet: [
    ['a young chain', ({ method }, truth) => (method === 'eth_blockNumber' ? '0x2' : truth)],
    ['an unknown transaction', receipt(() => null)],
  ],
};

export const malformedReceipts: readonly (readonly [string, LyingNode['lie']])[] = [
  ['a receipt without a status', receipt((truth) => ({ ...truth, status: undefined }))],
  ['a status that is a number', receipt((truth) => ({ ...truth, status: 1 }))],
  ['an index that is a number', inLog({ logIndex: 0 })],
  ['a log without "removed"', inLog({ removed: undefined })],
  ['logs that are null', receipt((truth) => ({ ...truth, logs: null }))],
  ['an odd number of digits', inLog({ data: '0x123' })],
];

export const inBlock =
  (change: Json): LyingNode['lie'] =>
  ({ method }, truth) =>
    method === 'eth_getBlockByNumber' ? { ...(truth as Json), ...change } : truth;

/** Answers to any call that are none. */
export const malformedAnswers: readonly (readonly [string, LyingNode['lie']])[] = [
  ['null', () => null],
  ['a number for a text', ({ method }, truth) => (method === 'eth_chainId' ? 31_337 : truth)],
  ['a text for a quantity', ({ method }, truth) => (method === 'eth_blockNumber' ? '31337' : truth)],
  ['a quantity with a leading zero', ({ method }, truth) => (method === 'eth_blockNumber' ? '0x0f' : truth)],
  ['a quantity beyond 2^53', ({ method }, truth) => (method === 'eth_blockNumber' ? '0x20000000000000' : truth)],
  ['a block of the year 10000', inBlock({ timestamp: '0x3afff44180' })],
  ['a block without a hash', inBlock({ hash: undefined })],
  ['a block with a short hash', inBlock({ hash: '0x12' })],
  ['code with half a byte', ({ method }, truth) => (method === 'eth_getCode' ? '0x123' : truth)],
  ['a redirect', (_call, _truth, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['an error status', (_call, _truth, response) => void response.writeHead(503).end()],
  ['no JSON', (_call, _truth, response) => void response.end('<html>')],
  ['no UTF-8', (_call, _truth, response) => void response.end(Buffer.from([0x22, 0xff, 0x22]))],
  ['another id', ({ id }, truth, response) => void response.end(JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: truth }))],
  ['an error', ({ id }, _truth, response) => void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000 } }))],
  ['3 MiB', (_call, _truth, response) => void response.end(`"${'x'.repeat(chain_answer_bytes_max + 1_048_576)}"`)],
  ['a closed connection', (_call, _truth, response) => void response.destroy()],
];
