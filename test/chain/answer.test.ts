/** Answers of a node, decoded or refused. */
import assert from 'node:assert/strict';
import { body_values_max } from '../../src/base/limits.js';
import { ChainError, decodeAnswer } from '../../src/chain/node.js';
import { rpcReceipt, type RpcReceipt } from '../../src/codec/rpc.js';

const asked = { method: 'eth_getTransactionReceipt', id: 1, form: rpcReceipt };
const hash = `0x${'ab'.repeat(32)}`;
const receipt = { transactionHash: hash, blockHash: hash, blockNumber: '0x10', status: '0x1', logs: [] };

const decoded = (result: unknown, members: object = {}, more = ''): RpcReceipt | null =>
  decodeAnswer(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result, ...members }) + more), asked);

const refused = (read: () => unknown, message: RegExp): void =>
  assert.throws(read, (error) => error instanceof ChainError && error.verdict === 'unreachable' && message.test(error.message));

describe('the response of a node', () => {
  it('is decoded', () => {
    assert.deepEqual(decoded(receipt), { ...receipt, blockNumber: 16 });
    assert.equal(decoded(null), null);
    assert.deepEqual(decoded(receipt, { error: null }), decoded(receipt));
  });

  it('is refused when it is malformed, or belongs to another request', () => {
    refused(() => decoded({ ...receipt, status: 1 }), /is malformed/);
    refused(() => decoded(receipt, {}, '!'), /is not JSON/);
    refused(() => decoded(receipt, { id: 2 }), /another request/);
    // Of a request that a node did not read, it does not know the id.
    refused(() => decoded(undefined, { id: null, error: { code: -32_005 } }), /the node refused .* error -32005/);
    refused(() => decoded(receipt, { id: null }), /another request/);
  });

  it('is refused when it would take long to read', () => {
    const odd = Object.fromEntries(Array.from({ length: body_values_max }, (_, i) => [`k${i}`, 0]));
    refused(() => decoded({ ...receipt, ...odd }), /is not JSON of at most 50000 values/);
  });
});
