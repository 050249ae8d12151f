/** The page of a link by which a person registers a passkey. It needs no token: the link names whose key it is. */
import { useState } from 'preact/hooks';
import { type ApproverDocument, approverCodec, approverOfferCodec } from '../../../codec/api-approvers.js';
import { apiFor } from '../../kit/api/client.js';
import { SignedOut } from '../../kit/controls/frame.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { Load, ProblemBox } from '../../kit/controls/problem.js';
import { useAction, useLoad } from '../../kit/load.js';
import { useWords } from '../text/words.js';
import { localPage, newPasskey, obstacle, Obstacle } from './passkey.js';

const anybody = apiFor(null, () => undefined);
const body = (document: object): { readonly text: string } => ({ text: JSON.stringify(document) });
const openLink = (code: string) => anybody.post('/api/approver-links/open', approverOfferCodec, body({ code }));

export function RegisterPage({ code, leave }: { readonly code: string; readonly leave: () => void }) {
  const { t } = useWords();
  const offer = useLoad(code, () => openLink(code));
  const [added, setAdded] = useState<ApproverDocument | null>(null);
  return (
    <SignedOut title={t.approvers.registerTitle}>
      {added === null ? (
        <Load from={offer} failed={t.failed.link}>
          {({ approver, title, expires_at }) => (
            <Registration code={code} name={approver} title={title} expires_at={expires_at} added={setAdded} />
          )}
        </Load>
      ) : (
        <Added approver={added} />
      )}
      <p>
        <Button class="quiet" onClick={leave} text={t.approvers.toConsole} />
      </p>
    </SignedOut>
  );
}

interface RegistrationProps {
  readonly code: string;
  readonly name: string;
  readonly title: string | null;
  readonly expires_at: string;
  readonly added: (approver: ApproverDocument) => void;
}

function Registration({ code, name, title, expires_at, added }: RegistrationProps) {
  const { t, f } = useWords();
  const { busy, problem, run } = useAction();
  const register = (): void =>
    run(async () => {
      // A challenge is for one attempt.
      const { challenge } = await openLink(code);
      const passkey = await newPasskey(name, title, challenge);
      added(await anybody.post('/api/approver-links/register', approverCodec, body({ code, ...passkey })));
    });
  return (
    <section class="card">
      <p>{t.approvers.registerText(name)}</p>
      <Facts
        wide
        facts={[
          [t.approvers.name, name],
          title === null ? null : [t.approvers.personTitle, title],
          [t.approvers.linkUntil, <time dateTime={expires_at}>{f.time(expires_at)}</time>],
        ]}
      />
      {obstacle === null ? (
        <Button class="primary" disabled={busy} onClick={register} text={busy ? t.approvers.registering : t.approvers.register} />
      ) : (
        <Obstacle {...(localPage === null ? {} : { href: `${localPage}#register=${code}` })} />
      )}
      {problem !== null && <ProblemBox title={t.failed.register} problem={problem} />}
    </section>
  );
}

function Added({ approver: { name, keys } }: { readonly approver: ApproverDocument }) {
  const { t } = useWords();
  return (
    <section class="notice notice-good" role="status">
      <p>
        <strong>{t.approvers.registered(name)}</strong>
      </p>
      <p>
        <Mono>{keys.at(-1)?.fingerprint}</Mono>
      </p>
      <p>{t.approvers.compare}</p>
    </section>
  );
}
