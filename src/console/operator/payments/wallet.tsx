/** The bound wallet with its balance, or the way to bind one. */
import { useState } from 'preact/hooks';
import { walletBalanceCodec, walletCodec, type WalletBalance, type WalletRecord } from '../../../codec/api-wallet.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Facts, Loading, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction, useLoad, type Loaded } from '../../kit/load/use-load.js';
import { useFeed, useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { BindForm } from './bind-form.js';
import { Amount, Chain } from './pieces.js';

/** Loads the wallet, again when an entry about it is recorded. */
export function useWallet(): Loaded<WalletRecord> {
  const { api } = useSession();
  const loaded = useLoad('/api/wallet', (signal) => api.get('/api/wallet', walletCodec, signal));
  useFeed({ entry: ({ type }) => type === 'wallet.bound' && loaded.reload(), again: loaded.reload });
  return loaded;
}

export function WalletCard() {
  const { t } = useWords();
  const { status } = useSession();
  const { administer } = useRights();
  const { data, problem, reload } = useWallet();
  const commands =
    data?.address === null ? [agentCli('wallet-challenge'), agentCli('wallet-bind', '--help')] : [agentCli('balance')];
  return (
    <section class="card" aria-labelledby="wallet">
      <h2 id="wallet">{t.wallet.title}</h2>
      {problem !== null && <ProblemBox title={t.failed.wallet} problem={problem} retry={reload} />}
      {data === null && problem === null && <Loading />}
      {status.chain === null ? (
        <p class="notice">{t.payments.noChain}</p>
      ) : (
        <Facts facts={[[t.payments.chain, <Chain id={status.chain.chain_id} environment={status.chain.environment} />]]} />
      )}
      {data !== null && data.address !== null && <Bound address={data.address} boundAt={data.bound_at} />}
      {data !== null && data.address === null && (
        <>
          <p>{t.wallet.unbound}</p>
          {administer ? <BindForm done={reload} /> : <p>{t.wallet.unboundViewer}</p>}
        </>
      )}
      {data !== null && <CommandLine inner lines={commands} />}
    </section>
  );
}

function Bound({ address, boundAt }: { readonly address: string; readonly boundAt: string | null }) {
  const { t, f } = useWords();
  const { api, status } = useSession();
  const { busy, problem, run } = useAction();
  const [balance, setBalance] = useState<WalletBalance | null>(null);
  const read = (): void => run(async () => setBalance(await api.get('/api/wallet/balance', walletBalanceCodec)));
  return (
    <>
      <Facts
        wide
        facts={[
          [t.wallet.address, <Mono>{address}</Mono>],
          boundAt === null ? null : [t.wallet.boundAt, <time dateTime={boundAt}>{f.dateTime(boundAt)}</time>],
          balance === null
            ? null
            : [
                t.wallet.balance,
                <span role="status">
                  <Amount units={balance.balance_units} /> {t.wallet.atBlock(f.number(balance.block_number))}
                </span>,
              ],
        ]}
      />
      {problem !== null && <ProblemBox title={t.failed.balance} problem={problem} />}
      {status.chain !== null && (
        <div class="actions">
          <button type="button" disabled={busy} onClick={read}>
            {busy ? t.settlement.checking : t.wallet.readBalance}
          </button>
        </div>
      )}
      {status.chain !== null && <p class="help">{t.wallet.balanceHint}</p>}
    </>
  );
}
