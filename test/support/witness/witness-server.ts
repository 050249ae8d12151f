/**
 * A witness as c2sp.org/tlog-witness describes it, over real HTTP: it keeps the last size and root of each origin, checks signature
 * and consistency itself, and signs by Node's own crypto. It can also misbehave.
 */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../listening.js';
import { isConsistent } from '../../../src/journal/merkle.js';

export type Behaviour =
  | 'honest'
  /** Says that it has no checkpoint of this log, whatever it has. */
  | 'forgetful'
  | 'always-409'
  | 'odd-409'
  | 'ahead'
  | 'garbage'
  | 'empty'
  | 'drip'
  | 'silent'
  | 'huge'
  | 'bad-signature'
  | 'wrong-key'
  | 'wrong-text'
  | 'with-others'
  | 'not-utf8'
  | 'redirect'
  | 'hangs-up'
  | 'error';

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface WitnessServer {
  readonly name: string;
  readonly url: string;
  readonly vkey: string;
  behaviour: Behaviour;
  /** The time of the cosignatures, in seconds since 1970. */
  time: bigint;
  readonly requests: Recorded[];
  /** Origin to what was cosigned last. */
  readonly state: Map<string, { readonly size: number; readonly root: Buffer }>;
  readonly close: () => Promise<void>;
}

const keyId = (name: string, type: number, key: Buffer): Buffer =>
  createHash('sha256').update(`${name}\n`).update(Buffer.of(type)).update(key).digest().subarray(0, 4);

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

/** An Ed25519 public key from its 32 bytes. */
export const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });

export interface Cosigner {
  readonly vkey: string;
  readonly line: (text: string, time: bigint) => string;
}

/** A key of a witness and the lines that it signs. */
export function cosigner(name: string, type = 4): Cosigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = rawKey(publicKey);
  const id = keyId(name, type, raw);
  return {
    vkey: `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), raw]).toString('base64')}`,
    line: (text, time) => {
      const at = Buffer.alloc(8);
      at.writeBigUInt64BE(time);
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey);
      return `— ${name} ${Buffer.concat([id, at, signature]).toString('base64')}\n`;
    },
  };
}

/** The line with another signature. */
function altered(line: string): string {
  const [dash = '', name = '', encoded = ''] = line.trimEnd().split(' ');
  const blob = Buffer.from(encoded, 'base64');
  blob[20] = (blob[20] ?? 0) ^ 1;
  return `${dash} ${name} ${blob.toString('base64')}\n`;
}

/** The log's key by its verifier key: what this witness is configured with. */
export async function witnessServer(logs: readonly string[], name = 'witness.example/w1'): Promise<WitnessServer> {
  const own = cosigner(name);
  const other = cosigner(name);
  const known = new Map(
    logs.map((vkey) => {
      const [origin = '', id = '', ...key] = vkey.split('+');
      return [origin, { id, key: publicKeyOf(Buffer.from(key.join('+'), 'base64').subarray(1)) }] as const;
    }),
  );
  const server = createServer((request, response) => {
    void read(request).then((body) => answer(request, response, body));
  });
  const { port, close } = await listening(server);
  const witness: WitnessServer = {
    name,
    url: `http://127.0.0.1:${port}`,
    vkey: own.vkey,
    behaviour: 'honest',
    time: 1_795_000_000n,
    requests: [],
    state: new Map(),
    close,
  };

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    witness.requests.push({ method: request.method ?? '', path: request.url ?? '', body });
    const [status, type, text] = misbehave(body, response) ?? addCheckpoint(body);
    if (status !== 0) response.writeHead(status, { 'content-type': type }).end(text);
  }

  type Answer = readonly [status: number, type: string, text: string | Buffer];
  const plain = (status: number, text: string | Buffer = ''): Answer => [status, 'text/plain; charset=utf-8', text];
  const size = (n: number): Answer => [409, 'text/x.tlog.size', `${n}\n`];

  /** Answers null where it goes on honestly, and status 0 where the response is under way. */
  function misbehave(body: string, response: ServerResponse): Answer | null {
    const text = body.slice(body.indexOf('\n\n') + 2, body.lastIndexOf('\n\n') + 1);
    const given = Number(/^old (\d+)/.exec(body)?.[1]);
    switch (witness.behaviour) {
      case 'honest':
        return null;
      case 'forgetful':
        return given === 0 ? plain(200, own.line(text, witness.time)) : size(0);
      case 'always-409':
        return size(given === 1 ? 2 : 1);
      case 'odd-409':
        return [409, 'text/x.tlog.size', '007\n'];
      case 'ahead':
        return size(1_000_000);
      case 'garbage':
        return plain(200, 'certainly!\n');
      case 'empty':
        return plain(200);
      case 'silent':
        return [0, '', ''];
      case 'drip': {
        response.writeHead(200);
        const timer = setInterval(() => response.write('—'), 20);
        response.on('close', () => clearInterval(timer));
        return [0, '', ''];
      }
      case 'huge':
        return plain(200, '— a b\n'.repeat(20_000));
      case 'bad-signature':
        return plain(200, altered(own.line(text, witness.time)));
      case 'wrong-key':
        return plain(200, other.line(text, witness.time));
      case 'wrong-text':
        return plain(200, own.line(`${text}more\n`, witness.time));
      case 'with-others':
        return plain(200, other.line(text, witness.time) + own.line(text, witness.time) + '— else AAAAAAAA\n');
      case 'not-utf8':
        return plain(200, Buffer.of(0xff, 0x0a));
      case 'redirect':
        response.writeHead(307, { location: `${witness.url}/elsewhere` }).end();
        return [0, '', ''];
      case 'hangs-up':
        response.destroy();
        return [0, '', ''];
      case 'error':
        return plain(500, 'out of order');
    }
  }

  /** The specification's checks in its order. */
  function addCheckpoint(body: string): Answer {
    const at = body.indexOf('\n\n');
    const [first = '', ...proof] = body.slice(0, at).split('\n');
    const note = body.slice(at + 2);
    const old = /^old (0|[1-9]\d*)$/.exec(first)?.[1];
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
    const [origin = '', count = '', root = ''] = text.split('\n');
    if (at < 0 || old === undefined || !/^\d+$/.test(count) || proof.length > 63) return plain(400);
    const log = known.get(origin);
    if (log === undefined) return plain(404);
    const signed = note.split('\n').some((line) => {
      const blob = Buffer.from(line.split(' ')[2] ?? '', 'base64');
      return blob.subarray(0, 4).toString('hex') === log.id && verify(null, Buffer.from(text), log.key, blob.subarray(4));
    });
    if (!signed) return plain(403);
    const [from, to] = [Number(old), Number(count)];
    if (from > to) return plain(400);
    const last = witness.state.get(origin);
    if (from !== (last?.size ?? 0)) return size(last?.size ?? 0);
    const rootBytes = Buffer.from(root, 'base64');
    const path = proof.map((line) => Buffer.from(line, 'base64'));
    if (last !== undefined && from === to && !last.root.equals(rootBytes)) return plain(409);
    const consistent = last === undefined ? path.length === 0 : isConsistent(from, to, path, last.root, rootBytes);
    if (!consistent) return plain(422);
    witness.state.set(origin, { size: to, root: rootBytes });
    return plain(200, own.line(text, witness.time));
  }

  return witness;
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}
