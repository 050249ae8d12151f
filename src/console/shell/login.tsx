/** Signing in: the token is pasted, tried on /api/status, and kept in memory. */
import { useState } from 'preact/hooks';
import type { Api } from '../api/client.js';
import { statusShape, type Status } from '../api/shapes.js';
import { asProblem, type Problem } from '../api/problem.js';
import { PageTitle } from '../parts/pieces.js';
import { ProblemBox } from '../parts/problem.js';
import { useAction } from '../parts/use-load.js';
import { useText } from '../text/context.js';
import { LanguageSwitch } from './language-switch.js';
import { Limited } from './limited.js';

interface LoginProps {
  readonly ended: boolean;
  readonly open: (token: string) => Api;
  readonly enter: (api: Api, status: Status) => void;
}

/** What a header can carry (RFC 9110, section 5.5), without blanks. */
const sendable = /^[\u0021-\u007e]+$/;

type Complaint = 'empty' | 'malformed' | 'wrong' | 'ended';

/** Tries a token: what there is to complain about it, what stood in the way, and what the agent offers where it cannot tell its state. */
function useSignIn({ ended, open, enter }: LoginProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const [limited, setLimited] = useState<{ readonly api: Api; readonly why: Problem } | null>(null);
  const { busy, problem, run } = useAction();
  const attempt = async (api: Api): Promise<void> => {
    try {
      enter(api, await api.get('/api/status', statusShape));
    } catch (error) {
      const why = asProblem(error);
      if (why.document.code === 'network') throw why;
      if (why.document.status === 401) setComplaint('wrong');
      else setLimited({ api, why });
    }
  };
  const signIn = (token: string): void => {
    setComplaint(token === '' ? 'empty' : sendable.test(token) ? null : 'malformed');
    setLimited(null);
    if (sendable.test(token)) run(() => attempt(open(token)));
  };
  return { complaint, limited, busy, problem, signIn };
}

export function Login(props: LoginProps) {
  const { t } = useText();
  const [token, setToken] = useState('');
  const [shown, setShown] = useState(false);
  const { complaint, limited, busy, problem, signIn } = useSignIn(props);
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
          <Help />
          <button type="submit" class="primary" disabled={busy}>
            {busy ? t.login.checking : t.login.submit}
          </button>
        </form>
        {problem !== null && <ProblemBox problem={problem} />}
        {limited !== null && <Limited {...limited} />}
      </main>
    </div>
  );
}

function Help() {
  const { t } = useText();
  return (
    <div id="token-help" class="help">
      <p>{t.login.where}</p>
      <p>{t.login.memory}</p>
    </div>
  );
}
