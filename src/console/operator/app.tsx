/** Signed out: the sign-in page. Signed in: the shell with the page that the address names. The token is in this component's memory only. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { apiFor, type Api } from '../kit/api/client.js';
import type { Status } from '../../codec/api-status.js';
import { logoutCodec } from '../../codec/api-login.js';
import { Announcer } from '../kit/controls/announce.js';
import type { LoginLinks } from './session/login-link.js';
import { askOtherTabs, serveOtherTabs } from './session/other-tabs.js';
import { Login } from './shell/login.js';
import { Shell } from './shell/shell.js';
import { TextProvider } from '../kit/text/context.js';
import { pageWords } from './text/words.js';

interface SignedIn {
  readonly api: Api;
  readonly status: Status;
  /** Whether a login code opened the session, which then ends with signing out. */
  readonly isSession: boolean;
}

interface AppProps {
  readonly links: LoginLinks;
}

export function App({ links }: AppProps) {
  return (
    <TextProvider page={pageWords}>
      <Announcer>
        <Gate links={links} />
      </Announcer>
    </TextProvider>
  );
}

/** The login code to try: that of the link which opened the page or came later, else one from another tab. */
function useLoginCode({ first, listen }: LoginLinks) {
  const [code, setCode] = useState(first);
  useEffect(() => (first === null ? askOtherTabs((given) => setCode((own) => own ?? given)) : undefined), []);
  useEffect(() => listen(setCode), [listen]);
  return { code, forget: useCallback(() => setCode(null), []) };
}

function Gate({ links }: AppProps) {
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
  const [ended, setEnded] = useState(false);
  const { code, forget: forgetCode } = useLoginCode(links);
  const leave = useCallback(
    (byAgent: boolean) => {
      forgetCode();
      setEnded(byAgent);
      setSignedIn(null);
    },
    [forgetCode],
  );
  useEffect(() => links.listen(() => setSignedIn(null)), [links]);
  useEffect(() => {
    if (signedIn === null) return undefined;
    // A page that the browser keeps for "back" must not keep the token with it.
    const forget = (event: PageTransitionEvent): void => {
      if (event.persisted) leave(false);
    };
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, [signedIn, leave]);
  useEffect(() => (signedIn === null ? undefined : serveOtherTabs(signedIn.api)), [signedIn]);
  if (signedIn === null) {
    const open = (token: string): Api => apiFor(token, () => leave(true));
    const enter = (entered: SignedIn): void => {
      forgetCode();
      setSignedIn(entered);
    };
    return <Login ended={ended} code={code} open={open} enter={enter} />;
  }
  const { api, status, isSession } = signedIn;
  const signOut = (): void => {
    leave(false);
    // The token is forgotten here in any case; a session that could not be ended ends by itself.
    if (isSession) void api.post('/api/logout', logoutCodec).catch(() => undefined);
  };
  return <Shell api={api} first={status} leave={signOut} />;
}
