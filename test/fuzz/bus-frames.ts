/** Messages and HTTP/2 frames to the message bus of a real daemon. */
import type { Prng } from '../../src/base/prng.js';
import { wrapFrame } from '../../src/codec/bus.js';
import { exchangeRaw } from '../http/raw-client.js';
import { mutateBytes, pick, type Mutant } from '../support/archive/byte-mutations.js';
import { entriesOf } from '../support/crash/crash-sandbox.js';
import { busClient, envelope, greeting } from '../support/bus/given-bus.js';
import type { FuzzedDaemon } from './fuzzed-daemon.js';
import { mutateJson } from './json-mutations.js';
import { canary, Outcomes, type Target, type TargetKind } from './target.js';

/** Statuses that docs/bus.md names. */
const documented: readonly string[] = [
  ...'OK FAILED_PRECONDITION UNAUTHENTICATED PERMISSION_DENIED INVALID_ARGUMENT'.split(' '),
  ...'RESOURCE_EXHAUSTED DEADLINE_EXCEEDED UNAVAILABLE'.split(' '),
];

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frameTypes = { data: 0, headers: 1, settings: 4 } as const;

/** A frame of HTTP/2 (RFC 9113, section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field as a literal that is not indexed (RFC 7541, section 6.2.2). */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name, 'latin1'),
    Buffer.from([value.length]),
    Buffer.from(value, 'latin1'),
  ]);

const callHead = Buffer.concat([
  field(':method', 'POST'),
  field(':scheme', 'http'),
  field(':path', '/bus.Bus/Send'),
  field(':authority', 'localhost'),
  field('content-type', 'application/grpc'),
  field('te', 'trailers'),
]);

/** A message of gRPC: not compressed, its length, its bytes. */
function message(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

const end_headers = 4;
const end_stream = 1;

/** The frames of one call on a stream. */
const call = (stream: number, bytes: Buffer): readonly Buffer[] => [
  frame(frameTypes.headers, end_headers, stream, callHead),
  frame(frameTypes.data, end_stream, stream, message(bytes)),
];

/** Alters the head of a frame: its type, flags, stream or length. */
function withOtherHead(bytes: Buffer, random: Prng): Buffer {
  const out = Buffer.from(bytes);
  const [at, length] = pick([[0, 3] as const, [3, 1] as const, [4, 1] as const, [5, 4] as const], random);
  out.writeUIntBE(pick([0, 1, 2, 255, random.below(256 ** length)], random) % 256 ** length, at, length);
  return out;
}

/** A connection with two calls, its frames dropped, repeated, exchanged or altered. */
function frames(random: Prng): Mutant {
  const whole = [
    frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
    ...call(1, Buffer.from(greeting)),
    ...call(3, Buffer.from(envelope())),
  ];
  const done: string[] = [];
  for (let n = random.below(4); n > 0; n--) {
    const at = random.below(whole.length);
    const one = whole[at] ?? Buffer.alloc(0);
    const name = pick(['dropped', 'repeated', 'exchanged', 'head', 'head', 'bytes', 'bytes'], random);
    done.push(`frame ${at}: ${name}`);
    if (name === 'dropped') whole.splice(at, 1);
    else if (name === 'repeated') whole.splice(at, 0, ...Array.from({ length: 1 + random.below(200) }, () => one));
    else if (name === 'exchanged') whole.push(...whole.splice(at, 1));
    else whole[at] = name === 'head' && one.length >= 9 ? withOtherHead(one, random) : mutateBytes(one, random).bytes;
  }
  const bytes = Buffer.concat([random.below(20) === 0 ? mutateBytes(preface, random).bytes : preface, ...whole]);
  return { bytes, what: done.join(', ') || 'as it is' };
}

/** A message of a connection that has shaken hands, or has not. */
function messageOf(random: Prng): Mutant {
  const { bytes, what } = pick(
    [
      () => mutateJson(JSON.parse(envelope({ payload: { text: canary } })), random),
      () => mutateBytes(Buffer.from(greeting), random),
      () => mutateBytes(Buffer.from(wrapFrame(Buffer.from(envelope()))), random),
      () => ({ bytes: Buffer.alloc(pick([0, 1, 5, 65_537, 1_048_577], random), 0x7b), what: 'one byte, many times' }),
    ],
    random,
  )();
  return random.below(3) === 0 ? { bytes: Buffer.from(wrapFrame(bytes)), what: `in a Frame: ${what}` } : { bytes, what };
}

/** Time that the bus has for frames. A call that is not finished may stay open for 15 s, which is not waited for. */
const frames_ms = 200;
const ways = ['frames', 'message', 'greeted'] as const;

function make(random: Prng): Mutant {
  const way = pick(ways, random);
  const { bytes, what } = way === 'frames' ? frames(random) : messageOf(random);
  return { bytes: Buffer.concat([Buffer.from(`${way}\n`), bytes]), what: `${way}: ${what}` };
}

class Bus implements Target {
  private accepted = 0;

  constructor(private readonly daemon: FuzzedDaemon) {}

  readonly outcomes = new Outcomes();
  readonly make = make;

  private get address(): string {
    const { bus } = this.daemon.daemon;
    if (bus === null) throw new Error('the daemon serves no bus');
    return bus;
  }

  readonly try = async (input: Buffer): Promise<readonly string[]> => {
    const end = input.indexOf('\n');
    const way = input.subarray(0, end).toString();
    const bytes = input.subarray(end + 1);
    if (way === 'frames') await this.sendFrames(bytes);
    const wrong = way === 'frames' ? [] : await this.sendMessage(bytes, way === 'greeted');
    return [...wrong, ...(await this.stillServes()), ...(await this.daemon.faults())];
  };

  private async sendFrames(bytes: Buffer): Promise<void> {
    const port = Number(this.address.split(':')[1]);
    this.outcomes.add('frames');
    await exchangeRaw(port, bytes, { afterwards: 'end', wait_ms: frames_ms });
  }

  private async sendMessage(bytes: Buffer, isGreeted: boolean): Promise<readonly string[]> {
    const client = busClient(this.address, undefined, { 'grpc.max_send_message_length': -1 });
    try {
      if (isGreeted) await client.send(greeting);
      const { code, text } = await client.send(bytes);
      this.outcomes.add(code);
      if (code === 'OK' && /^(?:ok|\n\u0002ok)$/.test(text)) this.accepted++;
      return [
        ...(documented.includes(code) ? [] : [`the status ${code} (${text}) is not documented`]),
        ...(code !== 'OK' && text.includes(canary) ? [`the reason repeats the input: ${text}`] : []),
      ];
    } finally {
      client.close();
    }
  }

  /** A new connection is served whatever another one sent. */
  private async stillServes(): Promise<readonly string[]> {
    const client = busClient(this.address);
    try {
      const { code, text } = await client.send(greeting);
      return code === 'OK' && text === greeting ? [] : [`the handshake of another connection: ${code} ${text}`];
    } finally {
      client.close();
    }
  }

  readonly close = async (): Promise<readonly string[]> => {
    const recorded = entriesOf(this.daemon.home).filter(({ type }) => type === 'bus.received').length;
    const lost = recorded < this.accepted ? [`${this.accepted} envelopes were accepted and ${recorded} are recorded`] : [];
    return Promise.resolve(lost);
  };
}

export const busFrames: TargetKind = {
  name: 'bus',
  what: 'messages and HTTP/2 frames to the message bus',
  invariants: [
    'every status is one that docs/bus.md names, and no reason repeats the input',
    'another connection is served after it, and every accepted envelope is recorded',
  ],
  open: async (place) => new Bus(await place.daemon()),
};
