/** A form that was typed and not sent, kept for this tab: it survives navigation, a reload and a new sign-in. It never holds the token. */
const keyOf = (from: string): string => `agent-cli.form.${from}`;

/** Returns the form that was kept, or null. @param from the mission whose request is changed, or empty */
export function keptForm<F extends object>(from: string): F | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(from)) ?? 'null') as F | null;
  } catch {
    return null;
  }
}

/** Keeps a form, or forgets it for null. A form that is too large for the browser's room is not kept. */
export function keepForm(from: string, form: object | null): void {
  try {
    if (form === null) sessionStorage.removeItem(keyOf(from));
    else sessionStorage.setItem(keyOf(from), JSON.stringify(form));
  } catch {
    sessionStorage.removeItem(keyOf(from));
  }
}
