/** test/support/solidity/PlanVerifier.sol, compiled by solc and deployed on a local node. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interface, type JsonFragment } from 'ethers';
import type { Anvil } from './anvil.js';
import { packageRoot } from './package-root.js';
import { hang_ms } from './wait.js';

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

/** @param name of the contract and, with `.sol`, of its file in test/support/solidity */
export function compileContract(name: string): { readonly abi: Interface; readonly bytecode: string } {
  const solc = createRequire(import.meta.url)('solc') as { readonly compile: (input: string) => string };
  const file = `${name}.sol`;
  const content = readFileSync(join(packageRoot(import.meta.url), 'test', 'support', 'solidity', file), 'utf8');
  const settings = {
    evmVersion: 'paris',
    optimizer: { enabled: true },
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
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
