/** Invoices of the main golden home, paid on a local chain: a cancelled one, an expired one and a paid one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome } from '../../src/app/home/home.js';
import { issueInvoice } from '../../src/app/invoices/issue.js';
import type { ChainConfig } from '../../src/codec/config.js';
import { tokenChain } from '../support/token-chain.js';
import { owner, payer } from '../support/wallet.js';
import type { Operator } from './operator.js';

const two_days_ms = 172_800_000;

/** A challenge is superseded, and the second one is signed outside the program. */
export async function boundWallet({ run }: Operator): Promise<void> {
  await run(['wallet-challenge']);
  const { message } = await run(['wallet-challenge', '--address', owner.address, '--as', 'dana']);
  await run(['wallet-bind', await owner.signMessage(String(message)), '--as', 'dana']);
}

/** @param mission a completed one */
export async function paidWork(operator: Operator, mission: string): Promise<void> {
  const { run } = operator;
  const chain = await tokenChain();
  try {
    await chain.mine(5);
    await configure(operator, chain.settings);
    const invoice = (): ReturnType<typeof run> => run(['invoice', mission, '--payer', payer.address, '--amount', '2.5']);
    await invoice();
    await run(['invoice-cancel', mission]);
    await overdueInvoice(operator, mission);
    const { amount_units } = await invoice();
    const { tx } = await chain.mined('transfer', owner.address, BigInt(String(amount_units)));
    await chain.mine(chain.settings.confirmations);
    await run(['settle', mission, '--find', tx, '--as', 'dana']);
    await run(['verify-receipt', mission]);
  } finally {
    await configure(operator, null);
    await chain.stop();
  }
}

async function configure({ run, folder }: Operator, chain: ChainConfig | null): Promise<void> {
  const file = join(folder, 'given', 'chain.json');
  writeFileSync(file, JSON.stringify({ chain }));
  await run(['pause']);
  await run(['configure', file]);
  await run(['resume']);
}

/** An invoice that was issued by a clock two days behind, so that its time is over. */
async function overdueInvoice({ home: directory, folder }: Operator, mission: string): Promise<void> {
  const env = { ...process.env, AGENT_WITNESS: join(folder, 'witness') };
  const home = openHome({ env, clock: () => Date.now() - two_days_ms, directory });
  try {
    await issueInvoice(home, mission, { payer: payer.address, amount_units: '1', expires_in_days: 1, actor: 'dana' });
  } finally {
    home.close();
  }
}
