/** Signing in: the token is typed, tried on /status, and kept in memory. */
import { useState } from 'preact/hooks';
import { asProblem } from '../../api/problem.js';
import { PageTitle } from '../../parts/pieces.js';
import { ProblemBox } from '../../parts/problem.js';
import { useAction } from '../../parts/use-load.js';
import { LanguageSwitch } from '../../shell/language-switch.js';
import { agentsShape } from '../api/shapes.js';
import type { Access } from '../session.js';
import { useWords } from '../text/words.js';

interface SignInProps {
  readonly ended: boolean;
  readonly open: (token: string) => Access;
  readonly enter: (access: Access) => void;
}

/** What a header can carry (RFC 9110, section 5.5), without blanks. */
const sendable = /^[\u0021-\u007e]+$/;

type Complaint = 'empty' | 'malformed' | 'wrong' | 'ended';

function useSignIn({ ended, open, enter }: SignInProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const { busy, problem, run } = useAction();
  const attempt = async (access: Access): Promise<void> => {
    try {
      await access.api.get('/status', agentsShape);
      enter(access);
    } catch (error) {
      const why = asProblem(error);
      if (![401, 403].includes(why.document.status)) throw why;
      setComplaint('wrong');
    }
  };
  const signIn = (token: string): void => {
    setComplaint(token === '' ? 'empty' : sendable.test(token) ? null : 'malformed');
    if (sendable.test(token)) run(() => attempt(open(token)));
  };
  return { complaint, busy, problem, signIn };
}

export function SignIn(props: SignInProps) {
  const { t } = useWords();
  const [token, setToken] = useState('');
  const [shown, setShown] = useState(false);
  const { complaint, busy, problem, signIn } = useSignIn(props);
  const submit = (event: Event): void => {
    event.preventDefault();
    signIn(token.trim());
  };
  return (
    <div class="login">
      <header class="login-head">
        <span class="brand">agent-cli</span>
        <LanguageSwitch />
      </header>
      <main>
        <PageTitle title={t.login.title} />
        <p class="lead">{t.login.lead}</p>
        <form onSubmit={submit} noValidate class="card">
          <label for="token">{t.login.token}</label>
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
            {complaint !== null && t.login[complaint]}
          </p>
          <label class="check">
            <input type="checkbox" checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} /> {t.login.show}
          </label>
          <div id="token-help" class="help">
            <p>{t.login.where}</p>
            <p>{t.login.memory}</p>
          </div>
          <button type="submit" class="primary" disabled={busy}>
            {busy ? t.login.checking : t.login.submit}
          </button>
        </form>
        {problem !== null && <ProblemBox problem={problem} />}
      </main>
    </div>
  );
}
