/** Requests that the boundary refuses with a given status, whichever endpoint they are for. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  /** The body of a mutation. */
  readonly body?: string | undefined;
}

type Fields = Readonly<Record<string, string>>;

function write({ method, path }: PlainRequest, fields: Fields, body = ''): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export function requestOf(plain: PlainRequest, status: number): string {
  const { token, body } = plain;
  const length =
    body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)), 'Content-Type': 'application/json' };
  const sound = { Host: 'localhost', Authorization: `Bearer ${token}`, ...length };
  const altered = (fields: Fields): string => write(plain, { ...sound, ...fields }, body);
  switch (status) {
    case 400:
      return write(plain, { ...sound, 'Content-Length': '5', 'content-length': '5' }, 'hello');
    case 401:
      return write(plain, { Host: 'localhost', ...length }, body);
    case 403:
      return altered({ Origin: 'http://elsewhere.example' });
    case 408:
      return write(plain, { ...sound, 'Content-Length': '9' }, '{');
    case 411:
      return write(plain, { Host: 'localhost', Authorization: `Bearer ${token}` });
    case 413:
      return write(plain, { ...sound, 'Content-Length': '524289' });
    case 415:
      return altered({ 'Content-Type': 'text/plain' });
    case 421:
      return altered({ Host: 'elsewhere.example' });
    case 422:
      return altered({}).replace(plain.path, `${plain.path}${plain.path.includes('?') ? '&' : '?'}unknown=1`);
    case 429:
      // Where wrong tokens are used up.
      return altered({ Authorization: `Bearer ${'x'.repeat(43)}` });
    case 431:
      return altered(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`X-${i}`, '1'])));
    default:
      throw new Error(`no request is known for ${status}`);
  }
}
