/** What was typed and not sent, a new mission or run or the reason of a decision, kept for this tab: it survives navigation, a reload and a new sign-in. It never holds the token. */
import { useEffect, useRef } from 'preact/hooks';

const keyOf = (from: string): string => `agent-cli.form.${from}`;

/** Returns the form that was kept, or null. @param from the mission or run whose request is changed, or empty; for a reason, who decides on which mission */
export function keptForm<F extends object>(from: string): F | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(from)) ?? 'null') as F | null;
  } catch {
    return null;
  }
}

function keepForm(from: string, form: object): void {
  try {
    sessionStorage.setItem(keyOf(from), JSON.stringify(form));
  } catch {
    // A form that is too large for the browser's room is not kept.
    sessionStorage.removeItem(keyOf(from));
  }
}

const rest_ms = 300;

/**
 * Keeps a form when typing rests, and when the page or the form is left: a large table takes longer than a key press should.
 * Returns what forgets it for good, once it is sent. @param form null before anything is typed
 */
export function useKeptForm(from: string, form: object | null): () => void {
  const newest = useRef<object | null>(null);
  newest.current = form;
  const isSent = useRef(false);
  const keep = (): void => {
    if (newest.current !== null && !isSent.current) keepForm(from, newest.current);
  };
  useEffect(() => {
    const timer = setTimeout(keep, rest_ms);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    addEventListener('pagehide', keep);
    return () => (removeEventListener('pagehide', keep), keep());
  }, [from]);
  return () => {
    isSent.current = true;
    sessionStorage.removeItem(keyOf(from));
  };
}

/** Lets the browser ask before the tab, and with it what was typed, is closed. */
export function useAskOnLeave(isChanged: boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (isChanged) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
