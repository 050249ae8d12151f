/** Signing in: the token is pasted, tried on /api/status, and kept in memory. */
import { useState } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import { statusCodec, type Status } from '../../../codec/api-status.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { Limited } from './limited.js';
import { complaintOf, TokenForm, type Complaint } from '../../kit/controls/token-form.js';

interface LoginProps {
  readonly ended: boolean;
  readonly open: (token: string) => Api;
  readonly enter: (api: Api, status: Status) => void;
}

/** Tries a token: says what is wrong with it, what failed, and what the agent offers if it cannot report its status. */
function useSignIn({ ended, open, enter }: LoginProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const [limited, setLimited] = useState<{ readonly api: Api; readonly why: Problem } | null>(null);
  const { busy, problem, run } = useAction();
  const attempt = async (api: Api): Promise<void> => {
    try {
      enter(api, await api.get('/api/status', statusCodec));
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
  return { complaint, limited, busy, problem, signIn };
}

export function Login(props: LoginProps) {
  const { limited, ...form } = useSignIn(props);
  return <TokenForm {...form}>{limited !== null && <Limited {...limited} />}</TokenForm>;
}
