/** The page that asks for the token. The token is in the memory of this form until it is tried. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../api/client.js';
import { useWindow } from '../load.js';
import { useText } from '../text/context.js';
import { SignedOut } from './frame.js';
import { Button, Check, Form } from './inputs.js';
import { ProblemBox } from './pieces.js';

/** What a header can carry (RFC 9110, section 5.5), without blanks. */
const sendable = /^[\u0021-\u007e]+$/;

export type Complaint = 'empty' | 'malformed' | 'wrong' | 'ended' | 'link' | 'assistant';

/** Returns what is wrong with a token before it is tried. */
export const complaintOf = (token: string): Complaint | null =>
  token === '' ? 'empty' : sendable.test(token) ? null : 'malformed';

interface TokenFormProps {
  readonly complaint: Complaint | null;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly signIn: (token: string) => void;
  readonly children?: ComponentChildren;
}

export function TokenForm({ complaint, busy, problem, signIn, children }: TokenFormProps) {
  const { k } = useText();
  const [token, setToken] = useState('');
  const [shown, setShown] = useState(false);
  return (
    <SignedOut title={k.signIn.title}>
      <p class="lead">{k.page.signIn.lead}</p>
      <Form submit={() => signIn(token.trim())} class="card">
        <label for="token">{k.signIn.token}</label>
        <input
          id="token"
          {...(shown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          autocomplete="off"
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="token-help token-error"
          aria-invalid={complaint !== null}
        />
        <p id="token-error" class="field-error" role="alert">
          {complaint !== null && { ...k.signIn, ...k.page.signIn }[complaint]}
        </p>
        <Check text={k.signIn.show} checked={shown} set={setShown} />
        <div id="token-help" class="help">
          <p>{k.page.signIn.where}</p>
          <p>{k.signIn.memory}</p>
        </div>
        <Button type="submit" class="primary" disabled={busy} text={busy ? k.signIn.checking : k.signIn.submit} />
      </Form>
      {problem !== null && <ProblemBox title={k.signIn.failed} problem={problem} />}
      {children}
    </SignedOut>
  );
}

/** Forgets a token with the page: one that the browser keeps for "back" must not keep it. */
export function useForgetting(isSignedIn: boolean, forget: () => void): void {
  useWindow('pagehide', ({ persisted }) => persisted && forget(), isSignedIn);
}
