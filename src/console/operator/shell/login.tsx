/** Signing in, with a pasted token or a login code: the token is tried on /api/status, and kept in memory. */
import { useEffect, useState } from 'preact/hooks';
import { loginSessionCodec } from '../../../codec/api-login.js';
import { apiFor, type Api } from '../../kit/api/client.js';
import { statusCodec, type Status } from '../../../codec/api-status.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { Limited } from './limited.js';
import { complaintOf, TokenForm, type Complaint } from '../../kit/controls/token-form.js';

interface LoginProps {
  readonly ended: boolean;
  /** A login code to sign in with. */
  readonly code: string | null;
  readonly open: (token: string) => Api;
  readonly enter: (entered: { readonly api: Api; readonly status: Status; readonly isSession: boolean }) => void;
}

/** Exchanges a login code for the token of a session; null if the code is not valid. */
async function exchange(code: string): Promise<string | null> {
  const anybody = apiFor(null, () => undefined);
  try {
    return (await anybody.post('/api/login', loginSessionCodec, { text: JSON.stringify({ code }) })).token;
  } catch (error) {
    const why = asProblem(error);
    if (why.document.status === 401) return null;
    throw why;
  }
}

/** Tries a token: says what is wrong with it, what failed, and what the agent offers if it cannot report its status. */
function useSignIn({ ended, code, open, enter }: LoginProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const [limited, setLimited] = useState<{ readonly api: Api; readonly why: Problem } | null>(null);
  const { busy, problem, run } = useAction();
  const attempt = async (api: Api, isSession = false): Promise<void> => {
    try {
      enter({ api, status: await api.get('/api/status', statusCodec), isSession });
    } catch (error) {
      const why = asProblem(error);
      if (why.document.code === 'network') throw why;
      if (why.document.status === 401) setComplaint('wrong');
      else setLimited({ api, why });
    }
  };
  const signIn = (token: string): void => {
    const why = complaintOf(token);
    setComplaint(why);
    setLimited(null);
    if (why === null) run(() => attempt(open(token)));
  };
  const signInByCode = async (given: string): Promise<void> => {
    setComplaint(null);
    const token = await exchange(given);
    if (token === null) setComplaint('link');
    else await attempt(open(token), true);
  };
  useEffect(() => {
    if (code !== null) run(() => signInByCode(code));
  }, [code]);
  return { complaint, limited, busy, problem, signIn };
}

export function Login(props: LoginProps) {
  const { limited, ...form } = useSignIn(props);
  return <TokenForm {...form}>{limited !== null && <Limited {...limited} />}</TokenForm>;
}
