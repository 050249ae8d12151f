/** What was typed and not sent, kept for this tab: it survives navigation, a reload and a new sign-in. It never holds the token. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWindow } from '../load.js';

const keyOf = (from: string): string => `agent-cli.form.${from}`;

/** Returns the form that was kept, or null. @param from the mission or run whose request is changed, or empty; for a small form, its name and who types */
export function keptForm<F extends object>(from: string): F | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(from)) ?? 'null') as F | null;
  } catch {
    return null;
  }
}

function keepForm(from: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(from), text);
  } catch {
    // A form that is too large for the browser's room is not kept.
    sessionStorage.removeItem(keyOf(from));
  }
}

const rest_ms = 300;

/**
 * Keeps a form when typing rests, and when the page or the form is left: a large table takes longer than a key press should.
 * Returns what forgets it once it is sent. @param form null before anything is typed
 */
export function useKeptForm(from: string, form: object | null): () => void {
  const newest = useRef<object | null>(null);
  newest.current = form;
  const sent = useRef('');
  const keep = (): void => {
    const text = JSON.stringify(newest.current);
    if (newest.current !== null && text !== sent.current) keepForm(from, text);
  };
  useEffect(() => {
    const timer = setTimeout(keep, rest_ms);
    return () => clearTimeout(timer);
  });
  useWindow('pagehide', keep);
  useEffect(() => keep, [from]);
  return () => {
    sent.current = JSON.stringify(newest.current);
    sessionStorage.removeItem(keyOf(from));
  };
}

/** The state of a small form, kept as it is typed. @param empty what it holds before */
export function useKeptState<F extends object>(from: string, empty: F) {
  const [first] = useState(() => keptForm<F>(from) ?? empty);
  const [form, setForm] = useState(first);
  const forget = useKeptForm(from, form === first ? null : form);
  return { form, set: (part: Partial<F>): void => setForm((all) => ({ ...all, ...part })), forget };
}

/** Lets the browser ask before the tab, and with it what was typed, is closed. */
export function useAskOnLeave(isChanged: boolean): void {
  useWindow('beforeunload', (event) => event.preventDefault(), isChanged);
}
