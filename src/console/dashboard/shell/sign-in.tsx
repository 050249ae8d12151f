/** Signing in: the token is typed, tried on /status, and kept in memory. */
import { useState } from 'preact/hooks';
import { asProblem } from '../../kit/api/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { complaintOf, TokenForm, type Complaint } from '../../kit/controls/token-form.js';
import { agentsCodec } from '../../../codec/api-simulation.js';
import type { Access } from '../session/session.js';

interface SignInProps {
  readonly ended: boolean;
  readonly open: (token: string) => Access;
  readonly enter: (access: Access) => void;
}

function useSignIn({ ended, open, enter }: SignInProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const { busy, problem, run } = useAction();
  const attempt = async (access: Access): Promise<void> => {
    try {
      await access.api.get('/status', agentsCodec);
      enter(access);
    } catch (error) {
      const why = asProblem(error);
      if (![401, 403].includes(why.document.status)) throw why;
      setComplaint('wrong');
    }
  };
  const signIn = (token: string): void => {
    const why = complaintOf(token);
    setComplaint(why);
    if (why === null) run(() => attempt(open(token)));
  };
  return { complaint, busy, problem, signIn };
}

export const SignIn = (props: SignInProps) => <TokenForm {...useSignIn(props)} />;
