/** Signed out: the sign-in page. Signed in: the frame with the page that the address names. The token is in this component's memory only. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { apiFor } from '../kit/api/client.js';
import { Announcer } from '../kit/controls/announce.js';
import { TextProvider } from '../kit/text/context.js';
import { socketFor } from './api/socket.js';
import type { Access } from './session/session.js';
import { Frame } from './shell/frame.js';
import { SignIn } from './shell/sign-in.js';
import { pageWords } from './text/words.js';

/** A missing token is 401, a wrong one 403: this interface has no roles, so either means that the token is not valid. */
const unauthorized = [401, 403];

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
  const [access, setAccess] = useState<Access | null>(null);
  const [ended, setEnded] = useState(false);
  const leave = useCallback((byServer: boolean) => {
    setEnded(byServer);
    setAccess(null);
  }, []);
  useEffect(() => {
    if (access === null) return undefined;
    // A page that the browser keeps for "back" must not keep the token with it.
    const forget = (event: PageTransitionEvent): void => {
      if (event.persisted) leave(false);
    };
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, [access, leave]);
  if (access !== null) return <Frame access={access} leave={() => leave(false)} />;
  const open = (token: string): Access => ({
    api: apiFor(token, () => leave(true), unauthorized),
    socket: socketFor(token),
  });
  return <SignIn ended={ended} open={open} enter={setAccess} />;
}
