/** Header fields: those that every response carries, and those of a request as received, repetitions included. */

/** The fields of every response, including those to requests that the parser rejects. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
};

/** Names and values in turn, as in `IncomingMessage.rawHeaders`. */
export type RawHeaders = readonly string[];

/** Returns every value of a field, in order. Node's `headers` drops or joins repetitions, so it cannot tell one from two. */
export function valuesOf(raw: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const field = raw[i] ?? '';
    // The length is compared first: most fields have another name, and each is checked several times.
    if (field.length === name.length && field.toLowerCase() === name) values.push(raw[i + 1] ?? '');
  }
  return values;
}
