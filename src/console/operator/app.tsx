/** Signed out: the sign-in page. Signed in: the shell with the page that the address names. The token is in this component's memory only. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { loginSessionCodec, logoutCodec } from '../../codec/api-tokens.js';
import { controlDocument, doctorCodec, type DoctorReport, type Status, statusCodec } from '../../codec/api-status.js';
import { type Api, apiFor, asProblem, type Problem } from '../kit/api/client.js';
import { agentCli } from '../kit/controls/agent-cli.js';
import { Announcer, useAnnounce } from '../kit/controls/announce.js';
import { CommandLine } from '../kit/controls/copy.js';
import { Button } from '../kit/controls/inputs.js';
import { ProblemBox } from '../kit/controls/pieces.js';
import { type Complaint, complaintOf, TokenForm, useForgetting } from '../kit/controls/token-form.js';
import { useAction } from '../kit/load.js';
import { TextProvider } from '../kit/text/context.js';
import { RegisterPage } from './approvers/passkey.js';
import { DoctorFindings } from './journal/doctor.js';
import { askOtherTabs, type Links, serveOtherTabs } from './session/login.js';
import { Shell } from './shell.js';
import { pageWords } from './text/all.js';
import { useWords } from './text/words.js';

interface SignedIn {
  readonly api: Api;
  readonly status: Status;
  /** Whether a login code opened the session, which then ends with signing out. */
  readonly isSession: boolean;
}

/** Leaves the page of a link for the console. */
const toConsole = (): void => history.replaceState(null, '', location.pathname);

export function App({ links: { login, register } }: { readonly links: Readonly<Record<'login' | 'register', Links>> }) {
  const [code, setCode] = useState(register.first);
  useEffect(() => register.listen(setCode), [register]);
  return (
    <TextProvider page={pageWords}>
      <Announcer>
        {code === null ? (
          <Gate links={login} />
        ) : (
          <RegisterPage key={code} code={code} leave={() => (toConsole(), setCode(null))} />
        )}
      </Announcer>
    </TextProvider>
  );
}

/** The login code to try: that of the link which opened the page or came later, else while `asks` one from another tab. */
function useLoginCode({ first, listen }: Links, asks: boolean, before: string | undefined) {
  const [code, setCode] = useState(first);
  useEffect(() => (asks ? askOtherTabs(before, (given) => setCode((own) => own ?? given)) : undefined), [asks]);
  useEffect(() => listen(setCode), [listen]);
  return { code, forget: useCallback(() => setCode(null), []) };
}

function Gate({ links }: { readonly links: Links }) {
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
  /** Null before the first session; whoever signs out here is not signed in again through another tab. */
  const [ended, setEnded] = useState<'bySelf' | 'byAgent' | null>(null);
  const asks = signedIn === null && (ended === null ? links.first === null : ended === 'byAgent');
  const before = useRef<string | undefined>(undefined);
  const { code, forget: forgetCode } = useLoginCode(links, asks, before.current);
  const leave = useCallback(
    (byAgent: boolean) => {
      forgetCode();
      setEnded(byAgent ? 'byAgent' : 'bySelf');
      setSignedIn(null);
    },
    [forgetCode],
  );
  useEffect(() => links.listen(() => setSignedIn(null)), [links]);
  useForgetting(signedIn !== null, () => leave(false));
  useEffect(() => (signedIn === null ? undefined : serveOtherTabs(signedIn.api, signedIn.status.actor.name)), [signedIn]);
  if (signedIn === null) {
    const open = (token: string): Api => apiFor(token, () => leave(true));
    const enter = (entered: SignedIn): void => {
      forgetCode();
      before.current = entered.status.actor.name;
      setSignedIn(entered);
    };
    return <Login ended={ended === 'byAgent'} code={code} open={open} enter={enter} />;
  }
  const { api, status, isSession } = signedIn;
  const signOut = (): void => {
    leave(false);
    // The token is forgotten here in any case; a session that could not be ended ends by itself.
    if (isSession) void api.post('/api/logout', logoutCodec).catch(() => undefined);
  };
  return <Shell api={api} first={status} leave={signOut} />;
}

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
    const problem = asProblem(error);
    if (problem.document.status === 401) return null;
    throw problem;
  }
}

/** Tries a token: says what is wrong with it, what failed, and what the agent offers if it cannot report its status. */
function useSignIn({ ended, code, open, enter }: LoginProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(ended ? 'ended' : null);
  const [limited, setLimited] = useState<{ readonly api: Api; readonly statusProblem: Problem } | null>(null);
  const { busy, problem, run } = useAction();
  const attempt = async (api: Api, isSession = false): Promise<void> => {
    try {
      const status = await api.get('/api/status', statusCodec);
      if (status.actor.role === 'agent') setComplaint('assistant');
      else enter({ api, status, isSession });
    } catch (error) {
      const statusProblem = asProblem(error);
      if (statusProblem.document.code === 'network') throw statusProblem;
      if (statusProblem.document.status === 401) setComplaint('wrong');
      else setLimited({ api, statusProblem });
    }
  };
  const signIn = (token: string): void => {
    const fault = complaintOf(token);
    setComplaint(fault);
    setLimited(null);
    if (fault === null) run(() => attempt(open(token)));
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

/** Signing in, with a pasted token or a login code: the token is tried on /api/status, and kept in memory. */
function Login(props: LoginProps) {
  const { limited, ...form } = useSignIn(props);
  return <TokenForm {...form}>{limited !== null && <Limited {...limited} />}</TokenForm>;
}

/**
 * What an agent without a readable status still offers: the doctor's findings, and the pause.
 * @param statusProblem the problem that the agent reported instead of its status
 */
function Limited({ api, statusProblem }: { readonly api: Api; readonly statusProblem: Problem }) {
  const { t } = useWords();
  const announce = useAnnounce();
  const [doctor, setDoctor] = useState<DoctorReport | null>(null);
  const { busy, problem, run } = useAction();
  const [tried, setTried] = useState<'checks' | 'pause'>('checks');
  const examine = (): void => {
    setTried('checks');
    run(async () => setDoctor(await api.get('/api/doctor', doctorCodec)));
  };
  const pause = (): void => {
    setTried('pause');
    run(async () => {
      await api.post('/api/control', controlDocument, { text: JSON.stringify({ state: 'paused' }) });
      announce(t.shell.pausedNow);
    });
  };
  return (
    <section class="limited" aria-label={t.shell.limited}>
      <ProblemBox title={t.failed.status} problem={statusProblem} />
      <p>{t.shell.limited}</p>
      <div class="actions">
        <Button disabled={busy} onClick={examine} text={t.shell.seeDoctor} />
        <Button disabled={busy} onClick={pause} text={t.shell.control.pause} />
      </div>
      {problem !== null && <ProblemBox title={t.failed[tried]} problem={problem} />}
      {doctor !== null && <DoctorFindings doctor={doctor} />}
      <CommandLine lines={[agentCli('doctor'), agentCli('pause')]} />
    </section>
  );
}
