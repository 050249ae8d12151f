/** Signed out: the sign-in page. Signed in: the shell with the page that the address names. The token is in this component's memory only. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { apiFor, type Api } from '../kit/api/client.js';
import type { Status } from '../../codec/api-status.js';
import { Announcer } from '../kit/controls/announce.js';
import { Login } from './shell/login.js';
import { Shell } from './shell/shell.js';
import { TextProvider } from '../kit/text/context.js';
import { pageWords } from './text/words.js';

interface SignedIn {
  readonly api: Api;
  readonly status: Status;
}

export function App() {
  return (
    <TextProvider page={pageWords}>
      <Announcer>
        <Gate />
      </Announcer>
    </TextProvider>
  );
}

function Gate() {
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
  const [ended, setEnded] = useState(false);
  const leave = useCallback((byAgent: boolean) => {
    setEnded(byAgent);
    setSignedIn(null);
  }, []);
  useEffect(() => {
    if (signedIn === null) return undefined;
    // A page that the browser keeps for "back" must not keep the token with it.
    const forget = (event: PageTransitionEvent): void => {
      if (event.persisted) leave(false);
    };
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, [signedIn, leave]);
  if (signedIn !== null) return <Shell api={signedIn.api} first={signedIn.status} leave={() => leave(false)} />;
  const open = (token: string): Api => apiFor(token, () => leave(true));
  return <Login ended={ended} open={open} enter={(api, status) => setSignedIn({ api, status })} />;
}
