/** The bound wallet with its balance, or the way to bind one. */
import { useState } from 'preact/hooks';
import type { WalletBalance, WalletChallenge, WalletRecord } from '../../../codec/api-wallet.js';
import { boundWalletCodec, walletBalanceCodec, walletChallengeCodec, walletCodec } from '../../../codec/api-wallet.js';
import { asProblem } from '../../kit/api/client.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, Load, Mono, ProblemBox } from '../../kit/controls/pieces.js';
import { Field } from '../../kit/forms/fields.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { RequestForm } from '../../kit/forms/request-form.js';
import { textOf } from '../../kit/forms/values.js';
import type { Loadable } from '../../kit/load.js';
import { useFeed, useGet, useRights, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Amount, Chain } from './pieces.js';

/** Loads the wallet, again when an entry about it is recorded. */
export function useWallet(): Loadable<WalletRecord> {
  const loaded = useGet('/api/wallet', walletCodec);
  useFeed({ entry: ({ type }) => type === 'wallet.bound' && loaded.reload(), again: loaded.reload });
  return loaded;
}

export function WalletCard() {
  const { t } = useWords();
  const { status } = useSession();
  const { administer } = useRights();
  const wallet = useWallet();
  return (
    <section class="card" aria-labelledby="wallet">
      <h2 id="wallet">{t.wallet.title}</h2>
      {status.chain === null ? (
        <p class="notice">{t.payments.noChain}</p>
      ) : (
        <Facts beside facts={[[t.payments.chain, <Chain id={status.chain.chain_id} environment={status.chain.environment} />]]} />
      )}
      <Load from={wallet} failed={t.failed.wallet}>
        {({ address, bound_at }) =>
          address === null ? (
            <>
              <p>{t.wallet.unbound}</p>
              {administer ? <BindForm done={wallet.reload} /> : <p>{t.wallet.unboundViewer}</p>}
              <CommandLine inner lines={[agentCli('wallet-challenge'), agentCli('wallet-bind', '--help')]} />
            </>
          ) : (
            <>
              <Bound address={address} boundAt={bound_at} />
              <CommandLine inner lines={[agentCli('balance')]} />
            </>
          )
        }
      </Load>
    </section>
  );
}

function Bound({ address, boundAt }: { readonly address: string; readonly boundAt: string | null }) {
  const { t, f } = useWords();
  const { api, status, busy, problem, run } = useTask();
  const [balance, setBalance] = useState<WalletBalance | null>(null);
  const read = (): void => run(async () => setBalance(await api.get('/api/wallet/balance', walletBalanceCodec)));
  return (
    <>
      <Facts
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
          <Button disabled={busy} onClick={read} text={busy ? t.settlement.checking : t.wallet.readBalance} />
        </div>
      )}
      {status.chain !== null && <p class="help">{t.wallet.balanceHint}</p>}
    </>
  );
}

/** Binding a wallet: a challenge is shown, signed elsewhere, and its signature pasted. No key is ever asked for. */
function BindForm({ done }: { readonly done: () => void }) {
  const { t } = useWords();
  const task = useTask();
  const { form, set, forget } = useKeptState(`wallet.${task.status.actor.name}`, { address: '' });
  const { address } = form;
  const [challenge, setChallenge] = useState<WalletChallenge | null>(null);
  const ask = (): void =>
    task.run(async () => {
      const body = { text: JSON.stringify({ address: textOf(address.trim()) }) };
      setChallenge(await task.api.post('/api/wallet/challenge', walletChallengeCodec, body));
    });
  const [text, tone] = challenge === null ? [t.wallet.challenge, 'primary'] : [t.wallet.challengeAgain, ''];
  return (
    <>
      <RequestForm task={task} failed={t.failed.challenge} submit={ask} text={text} tone={tone}>
        <h3>{t.wallet.step1}</h3>
        <p>
          {t.wallet.step1Text} {t.wallet.once}
        </p>
        <Field
          path="address"
          label={`${t.wallet.expected} (${t.wallet.optional})`}
          hint={t.wallet.expectedHint}
          value={address}
          set={(text) => set({ address: text })}
          mono
        />
      </RequestForm>
      {challenge !== null && <SignatureForm key={challenge.nonce} challenge={challenge} done={() => (forget(), done())} />}
    </>
  );
}

/** Sends the signature. A refusal that names the signer's address asks whether it is the right one. */
function useBinding(signature: string, done: () => void) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const [recovered, setRecovered] = useState<string | null>(null);
  const bind = (address?: string): void =>
    run(async () => {
      setRecovered(null);
      try {
        const body = { text: JSON.stringify({ signature: signature.trim(), address }) };
        const bound = await api.post('/api/wallet/bind', boundWalletCodec, body);
        announce(t.wallet.boundNow(bound.address));
        done();
      } catch (error) {
        const given = asProblem(error).document.facts['address'];
        if (asProblem(error).document.code !== 'invalid' || typeof given !== 'string') throw error;
        setRecovered(given);
      }
    });
  return { busy, problem, recovered, bind };
}

function SignatureForm({ challenge, done }: { readonly challenge: WalletChallenge; readonly done: () => void }) {
  const { t, f } = useWords();
  const [signature, setSignature] = useState('');
  const { busy, problem, recovered, bind } = useBinding(signature, done);
  const { message, expires_at } = challenge;
  return (
    <RequestForm task={{ busy, problem }} failed={t.failed.bind} submit={bind} text={t.wallet.submit}>
      <h3>{t.wallet.step2}</h3>
      <p>
        {t.wallet.step2Text} {t.wallet.expires(f.dateTime(expires_at))}
      </p>
      <pre class="json json-wrap challenge" tabIndex={0} role="group" aria-label={t.wallet.message} lang="en">
        {message}
      </pre>
      <CopyButton text={message} label={t.wallet.copyMessage} />
      <h3>{t.wallet.step3}</h3>
      <Field
        path="signature"
        label={t.wallet.signature}
        hint={t.wallet.signatureHint}
        value={signature}
        set={setSignature}
        rows={3}
        mono
      />
      {recovered !== null && (
        <div class="notice notice-warn" role="alert">
          <p>
            <strong class="break">{t.wallet.unconfirmed(recovered)}</strong>
          </p>
          <p>{t.wallet.unconfirmedText}</p>
          <Button disabled={busy} onClick={() => bind(recovered)} text={t.wallet.confirm} />
        </div>
      )}
    </RequestForm>
  );
}
