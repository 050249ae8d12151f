/** Signing in: the token is pasted, tried on /api/status, and kept in memory. */
import { useState } from 'preact/hooks';
import type { Api } from '../api/client.js';
import { statusShape, type Status } from '../api/shapes.js';
import { Problem } from '../api/problem.js';
import { PageTitle } from '../parts/pieces.js';
import { ProblemBox } from '../parts/problem.js';
import { useAction } from '../parts/use-load.js';
import { useText } from '../text/context.js';
import { LanguageSwitch } from './language-switch.js';

interface LoginProps {
  readonly ended: boolean;
  readonly open: (token: string) => Api;
  readonly enter: (api: Api, status: Status) => void;
}

/** What a header can carry (RFC 9110, section 5.5), without blanks. */
const sendable = /^[\u0021-\u007e]+$/;

type Complaint = 'empty' | 'malformed' | 'wrong' | 'ended';

export function Login({ ended, open, enter }: LoginProps) {
  const { t } = useText();
  const [token, setToken] = useState('');
  const [shown, setShown] = useState(false);
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const { busy, problem, run } = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    const trimmed = token.trim();
    setComplaint(trimmed === '' ? 'empty' : sendable.test(trimmed) ? null : 'malformed');
    if (!sendable.test(trimmed)) return;
    run(async () => {
      const api = open(trimmed);
      try {
        enter(api, await api.get('/api/status', statusShape));
      } catch (error) {
        if (!(error instanceof Problem && error.document.status === 401)) throw error;
        setComplaint('wrong');
      }
    });
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
