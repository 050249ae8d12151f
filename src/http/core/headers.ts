/** Header fields: those that every answer carries, and those of a request as they came, repetitions included. */

/** On every answer, the ones that the parser causes included. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
};

/** Names and values in turn, as `IncomingMessage.rawHeaders` has them. */
export type RawHeaders = readonly string[];

/** Every value of a field, in order. Node's `headers` drops or joins repetitions, so it cannot tell one from two. */
export function valuesOf(raw: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const field = raw[i] ?? '';
    // The length first: most fields are another one, and each is looked at several times.
    if (field.length === name.length && field.toLowerCase() === name) values.push(raw[i + 1] ?? '');
  }
  return values;
}
