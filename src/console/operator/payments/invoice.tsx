/** An invoice: its terms, and while it is open the request for the payer as a QR code and as text. */
import { useEffect, useState } from 'preact/hooks';
import { type InvoiceRecord, invoiceRecordCodec } from '../../../codec/api-invoices.js';
import { amountUnits, inTokens, unitsOfTokens } from '../../../codec/chain.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, Mono, ProblemBox, Verbatim } from '../../kit/controls/pieces.js';
import { Field } from '../../kit/forms/fields.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { RequestForm } from '../../kit/forms/request-form.js';
import { numberOf } from '../../kit/forms/values.js';
import { useLoad, useNow } from '../../kit/load.js';
import { useRights, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Amount, Chain, InvoiceBadge } from './pieces.js';

type InvoiceProps = { readonly invoice: InvoiceRecord; readonly reload: () => void };

export function Invoice({ invoice, reload }: InvoiceProps) {
  const { t, f } = useWords();
  const { administer } = useRights();
  const { id, state, payer, recipient, amount_units, chain_id, environment, expires_at, created_at } = invoice;
  // The state is the agent's to say: it is asked again once the time is over.
  const isOver = Date.parse(expires_at ?? '') <= useNow();
  useEffect(() => {
    if (isOver) reload();
  }, [isOver]);
  const when = (at: string) => <time dateTime={at}>{f.dateTime(at)}</time>;
  return (
    <div class="card invoice">
      <Facts
        facts={[
          [
            t.invoice.state,
            <span role="status">
              <InvoiceBadge state={state} />
            </span>,
          ],
          [t.payments.amount, <Amount units={amount_units} />],
          [t.invoice.payer, <Mono>{payer}</Mono>],
          [t.invoice.recipient, <Mono>{recipient}</Mono>],
          [t.payments.chain, <Chain id={chain_id} environment={environment} />],
          [t.invoice.issuedAt, when(created_at)],
          expires_at === null ? null : [t.invoice.payBy, when(expires_at)],
          [t.invoice.id, <Mono>{id}</Mono>],
        ]}
      />
      {state === 'expired' && <p class="notice notice-warn">{t.invoice.expiredText}</p>}
      {state === 'awaiting_payment' && <Request invoice={invoice} />}
      {(state === 'awaiting_payment' || state === 'expired') && administer && <Cancel id={id} reload={reload} />}
    </div>
  );
}

function Request({ invoice: { uri, amount, recipient } }: Pick<InvoiceProps, 'invoice'>) {
  const { t, f } = useWords();
  return (
    <div class="payment-request flow">
      <figure>
        <Qr text={uri} label={t.invoice.qr(f.decimal(amount), recipient)} />
        <figcaption class="fine">{t.invoice.scan}</figcaption>
      </figure>
      <div class="request-text">
        <p class="label">{t.invoice.request}</p>
        <Verbatim wrap label={t.invoice.request} text={uri} />
        <CopyButton text={uri} label={t.invoice.copyRequest} />
      </div>
    </div>
  );
}

function Cancel({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { k, t } = useWords();
  const task = useTask();
  const [isAsked, ask] = useState(false);
  const back = (): void => ask(false);
  const submit = (): void =>
    task.run(async () => {
      await task.api.post(`/api/invoices/${id}/cancel`, invoiceRecordCodec);
      task.announce(t.invoice.cancelled);
      back();
      reload();
    });
  const { cancel, cancelHint } = t.invoice;
  const says = { failed: t.failed.invoiceCancel, text: cancel, tone: 'danger' } as const;
  return (
    <>
      <div class="actions">
        <Button onClick={() => ask(true)} text={cancel} />
      </div>
      <p class="help">{cancelHint}</p>
      <CommandLine inner lines={[agentCli('invoice-cancel', id)]} />
      {isAsked && (
        <Dialog title={cancel} onClose={back}>
          <RequestForm task={task} {...says} submit={submit} beside={<Button onClick={back} text={k.back} />}>
            <p>{cancelHint}</p>
          </RequestForm>
        </Dialog>
      )}
    </>
  );
}

/** Issuing an invoice. Amounts are typed in tokens or in base units and read exactly, never as floating-point numbers. */
type Draft = Readonly<Record<'payer' | 'amount' | 'unit' | 'days', string>>;

const empty: Draft = { payer: '', amount: '', unit: 'tokens', days: '' };

/** Returns the request body. Texts are sent as typed: the agent has the last word. */
const bodyOf = ({ payer, amount, unit, days }: Draft): object => ({
  payer: payer.trim(),
  [unit === 'tokens' ? 'amount' : 'amount_units']: amount.trim(),
  expires_in_days: numberOf(days),
});

/** Returns the amount in base units; null for what is not an amount. */
function unitsOf({ amount, unit }: Draft): string | null {
  const units = unit === 'tokens' ? unitsOfTokens(amount.trim()) : amount.trim();
  return amountUnits.is(units) ? units : null;
}

function commandOf(mission: string, { payer, amount, unit, days }: Draft): string {
  if (payer.trim() === '' || amount.trim() === '') return agentCli('invoice', '--help');
  const flag = unit === 'tokens' ? '--amount' : '--amount-units';
  const expiry = days.trim() === '' ? [] : ['--expires-in', days.trim()];
  return agentCli('invoice', mission, '--payer', payer.trim(), flag, amount.trim(), ...expiry);
}

export function InvoiceForm({ mission, done }: { readonly mission: string; readonly done: () => void }) {
  const { t } = useWords();
  const task = useTask();
  const { form: draft, set, forget } = useKeptState(`invoice.${task.status.actor.name}.${mission}`, empty);
  const submit = (): void =>
    task.run(async () => {
      const body = { text: JSON.stringify(bodyOf(draft)) };
      await task.api.post(`/api/missions/${mission}/invoice`, invoiceRecordCodec, body);
      forget();
      task.announce(t.invoice.issued);
      done();
    });
  const says = { failed: t.failed.invoice, text: task.busy ? t.settlement.checking : t.invoice.issue };
  const command = <CommandLine inner lines={[commandOf(mission, draft)]} />;
  return (
    <RequestForm class="card" task={task} {...says} submit={submit} below={command}>
      <p>{t.invoice.formText}</p>
      <Fields draft={draft} set={set} />
    </RequestForm>
  );
}

function Fields({ draft, set }: { readonly draft: Draft; readonly set: (part: Partial<Draft>) => void }) {
  const { t, f } = useWords();
  const { tokens, units } = t.invoice.unitOptions;
  const isTokens = draft.unit === 'tokens';
  const understood = unitsOf(draft);
  const other =
    understood === null
      ? undefined
      : `= ${isTokens ? t.payments.units(understood) : t.payments.tokens(f.decimal(inTokens(understood)))}`;
  const typed = (name: keyof Draft) => ({ value: draft[name], set: (text: string) => set({ [name]: text }) });
  const options = [
    ['tokens', tokens],
    ['units', units],
  ] as const;
  const days = `${t.invoice.days} (${t.wallet.optional})`;
  const amount = isTokens ? 'amount' : 'amount_units';
  return (
    <>
      <Field path="payer" label={t.invoice.payer} hint={t.invoice.payerHint} {...typed('payer')} mono />
      <div class="cells">
        <Field path={amount} label={t.payments.amount} hint={t.invoice.amountHint} {...typed('amount')} read={other} numeric />
        <Field path="unit" label={t.invoice.unit} {...typed('unit')} options={options} />
        <Field path="expires_in_days" label={days} hint={t.invoice.daysHint} {...typed('days')} numeric />
      </div>
    </>
  );
}

/** Modules of light ground on each side (ISO/IEC 18004). */
const quiet = 4;

/** The library loads with the first code that is shown. */
async function draw(text: string) {
  const { default: qrcode } = await import('qrcode');
  const { size, data } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules;
  // A square for each dark module.
  const dark = Array.from(data, (module, i) =>
    module === 0 ? '' : `M${(i % size) + quiet} ${Math.floor(i / size) + quiet}h1v1h-1z`,
  );
  return { size: size + 2 * quiet, path: dark.join('') };
}

function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useWords();
  const { data: drawn, problem } = useLoad(text, () => draw(text));
  if (problem !== null) return <ProblemBox title={t.failed.qr} problem={problem} />;
  if (drawn === null) return <div class="qr" />;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${drawn.size} ${drawn.size}`} shape-rendering="crispEdges">
      <rect class="qr-ground" width={drawn.size} height={drawn.size} />
      <path class="qr-dark" d={drawn.path} />
    </svg>
  );
}
