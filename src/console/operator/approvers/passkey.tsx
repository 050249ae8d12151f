/** Passkeys of this browser: making one, on the page of a link that needs no token, signing with one, and why neither is possible here. */
import { useState } from 'preact/hooks';
import type { Assertion } from '../../../base/passkey.js';
import { base64Url, bytesOf, digest, fromBase64 } from '../../../base/web-crypto.js';
import { type ApproverDocument, approverCodec, approverOfferCodec } from '../../../codec/api-approvers.js';
import { loginCodeCodec } from '../../../codec/api-tokens.js';
import { isLoopbackHost } from '../../../codec/nats-url.js';
import { type Api, apiFor, localProblem } from '../../kit/api/client.js';
import { SignedOut } from '../../kit/controls/frame.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, Load, Mono, ProblemBox } from '../../kit/controls/pieces.js';
import { useAction, useLoad } from '../../kit/load.js';
import { useWords } from '../text/words.js';

const isAddress = /^(?:[0-9.]+|\[.*\])$/.test(location.hostname);

/** Why passkeys cannot be used on this page; null where they can. An RP ID is a name, and a passkey needs a secure context. */
export const obstacle = isAddress ? 'address' : 'PublicKeyCredential' in window ? null : 'insecure';

/** The page of this agent at localhost; null where the browser is on another machine. */
const localPage =
  isAddress && isLoopbackHost(location.hostname) ? `http://localhost${location.port === '' ? '' : `:${location.port}`}/` : null;

const ceremony_ms_max = 300_000;
const bytes = (buffer: ArrayBuffer): string => base64Url(new Uint8Array(buffer));

/** Asks the browser for what the person must confirm. @throws Problem when it returns nothing */
async function confirmed(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential;
    throw new Error('no passkey');
  } catch (error) {
    throw localProblem('passkey', error instanceof Error ? error.message : '');
  }
}

/** Makes a passkey for an approver; who made its authenticator is not asked. */
async function newPasskey(name: string, title: string | null, challenge: string) {
  const { response } = await confirmed(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: location.hostname, name: 'agent-cli' },
        user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: title ?? name },
        challenge: fromBase64(challenge, base64Url),
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { userVerification: 'required' },
        attestation: 'none',
        timeout: ceremony_ms_max,
      },
    }),
  );
  const { attestationObject, clientDataJSON } = response as AuthenticatorAttestationResponse;
  return { attestation_object: bytes(attestationObject), client_data: bytes(clientDataJSON) };
}

/** Signs a text with a passkey: its SHA-256 is the challenge. */
export async function assertionOf(text: string, credential: string): Promise<Assertion> {
  const challenge = await digest('SHA-256', bytesOf(text));
  const { response } = await confirmed(() =>
    navigator.credentials.get({
      publicKey: {
        rpId: location.hostname,
        challenge,
        allowCredentials: [{ type: 'public-key', id: fromBase64(credential, base64Url) }],
        userVerification: 'required',
        timeout: ceremony_ms_max,
      },
    }),
  );
  const { authenticatorData, clientDataJSON, signature } = response as AuthenticatorAssertionResponse;
  return { authenticator_data: bytes(authenticatorData), client_data: bytes(clientDataJSON), signature: bytes(signature) };
}

/** Why no passkey can be used here, with a link to where one can. */
export function Obstacle({ api, href }: { readonly api?: Api; readonly href?: string }) {
  const { t } = useWords();
  const { busy, problem, run } = useAction();
  if (obstacle === null) return null;
  const go = (signedIn: Api): void =>
    run(async () => {
      const { code } = await signedIn.post('/api/login-code', loginCodeCodec);
      location.assign(`${localPage ?? ''}#login=${code}&to=${encodeURIComponent(location.hash)}`);
    });
  return (
    <div class="notice notice-warn">
      <p>{t.approvers.obstacles[obstacle](location.host)}</p>
      {localPage !== null && href !== undefined && <a href={href}>{t.approvers.openLocal}</a>}
      {localPage !== null && api !== undefined && <Button disabled={busy} onClick={() => go(api)} text={t.approvers.openLocal} />}
      {problem !== null && <ProblemBox title={t.failed.link} problem={problem} />}
    </div>
  );
}

const anybody = apiFor(null, () => undefined);
const body = (document: object): { readonly text: string } => ({ text: JSON.stringify(document) });
const openLink = (code: string) => anybody.post('/api/approver-links/open', approverOfferCodec, body({ code }));

/** @param code blank once the page was loaded again */
export function RegisterPage({ code, leave }: { readonly code: string; readonly leave: () => void }) {
  const { t } = useWords();
  return (
    <SignedOut title={t.approvers.registerTitle}>
      {code === '' ? <p class="notice">{t.approvers.linkAgain}</p> : <Offered code={code} />}
      <p>
        <Button class="quiet" onClick={leave} text={t.approvers.toConsole} />
      </p>
    </SignedOut>
  );
}

function Offered({ code }: { readonly code: string }) {
  const { t } = useWords();
  const offer = useLoad(code, () => openLink(code));
  const [added, setAdded] = useState<ApproverDocument | null>(null);
  if (added !== null) return <Added approver={added} />;
  return (
    <Load from={offer} failed={t.failed.link}>
      {({ approver, title, expires_at }) => (
        <Registration code={code} name={approver} title={title} expires_at={expires_at} added={setAdded} />
      )}
    </Load>
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
