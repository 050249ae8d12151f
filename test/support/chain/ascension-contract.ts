/** test/support/chain/solidity/PlanVerifier.sol, compiled by solc and deployed on a local node. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interface, type JsonFragment } from 'ethers';
import { sha256Hex } from '../../../src/base/bytes.js';
import type { Anvil } from './anvil.js';
import { fullEffort } from '../effort.js';
import { packageRoot } from '../package-root.js';
import { hang_ms } from '../wait.js';

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly abi: readonly JsonFragment[]; readonly evm: { readonly bytecode: { readonly object: string } } }
        >
      >
    >
  >;
}

const root = packageRoot(import.meta.url);
const require = createRequire(import.meta.url);

/** What solc returns for an input; kept beside the built tests, because solc takes two seconds in each file of tests. */
function compile(input: string): string {
  const { version } = require('solc/package.json') as { readonly version: string };
  const kept = join(root, 'dist', 'test', 'support', `solc-${sha256Hex(`${version} ${input}`)}.json`);
  if (!fullEffort && existsSync(kept)) return readFileSync(kept, 'utf8');
  const output = (require('solc') as { readonly compile: (text: string) => string }).compile(input);
  // Renamed, so that a test in another process reads all of it or nothing.
  const fresh = `${kept}.${process.pid}`;
  writeFileSync(fresh, output);
  renameSync(fresh, kept);
  return output;
}

/** @param name of the contract and, with `.sol`, of its file in test/support/chain/solidity */
export function compileContract(name: string): { readonly abi: Interface; readonly bytecode: string } {
  const file = `${name}.sol`;
  const content = readFileSync(join(root, 'test', 'support', 'chain', 'solidity', file), 'utf8');
  const settings = {
    evmVersion: 'paris',
    optimizer: { enabled: true },
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
  const { errors = [], contracts } = JSON.parse(compile(JSON.stringify(input))) as Output;
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const made = contracts[file]?.[name];
  if (made === undefined) throw new Error(`${file} has no contract ${name}`);
  return { abi: new Interface(made.abi), bytecode: `0x${made.evm.bytecode.object}` };
}

/** The address of a contract, once its transaction is in a block: until then it has no receipt. */
async function deployedAt(node: Anvil, hash: unknown): Promise<string> {
  for (const end = performance.now() + hang_ms; performance.now() < end; await sleep(20)) {
    const receipt = (await node.call('eth_getTransactionReceipt', hash)) as { readonly contractAddress: string } | null;
    if (receipt !== null) return receipt.contractAddress;
  }
  throw new Error(`transaction ${String(hash)} is in no block`);
}

/** Answers what a pure function returns. */
export type View = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

export async function deploy(node: Anvil, name: string): Promise<View> {
  const { abi, bytecode } = compileContract(name);
  const [from] = (await node.call('eth_accounts')) as readonly string[];
  const hash = await node.call('eth_sendTransaction', { from, data: bytecode });
  const to = await deployedAt(node, hash);
  return async (method, ...args) => {
    const data = abi.encodeFunctionData(method, args);
    const answer = (await node.call('eth_call', { to, data, gas: '0x1c9c380' }, 'latest')) as string;
    return abi.decodeFunctionResult(method, answer)[0];
  };
}
