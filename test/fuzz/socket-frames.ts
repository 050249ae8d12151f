/** Handshakes and frames of WebSockets to the progress socket of a real daemon. */
import type { Prng } from '../../src/base/prng.js';
import { simulation_token } from '../drill/real-daemon.js';
import { exchangeRaw } from '../http/raw-client.js';
import { type Mutant, mutateBytes, pick } from '../support/archive/byte-mutations.js';
import { type Place, run_placeholder } from './fuzzed-daemon.js';
import { response_ms_max, responseFaults } from './http-bytes.js';
import { Outcomes, type Target, type TargetKind } from './target.js';

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const fin = 0x80;
const masked = 0x80;

/** A frame of a client (RFC 6455, section 5.2). */
function frame(opcode: number, payload: Buffer, first = fin | opcode): Buffer {
  const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
  const body = Buffer.from(payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  const length = Buffer.from(
    payload.length < 126 ? [masked | payload.length] : [masked | 126, payload.length >> 8, payload.length & 255],
  );
  return Buffer.concat([Buffer.from([first]), length, mask, body]);
}

const frames: readonly Buffer[] = [
  frame(opcodes.text, Buffer.from('hello')),
  frame(opcodes.text, Buffer.alloc(2_000, 'x')),
  frame(opcodes.text, Buffer.from([0xff, 0xfe])),
  frame(opcodes.binary, Buffer.alloc(100)),
  frame(opcodes.text, Buffer.from('half'), opcodes.text),
  frame(opcodes.continuation, Buffer.from('other half')),
  frame(opcodes.ping, Buffer.from('are you there')),
  frame(opcodes.ping, Buffer.alloc(126)),
  frame(opcodes.pong, Buffer.alloc(0)),
  frame(opcodes.close, Buffer.from([0x03, 0xe8])),
  frame(opcodes.close, Buffer.from([0x03])),
  frame(opcodes.close, Buffer.from([0xff, 0xff, 0x61])),
  frame(11, Buffer.from('reserved')),
  frame(opcodes.text, Buffer.from('a reserved bit'), 0xc1),
  Buffer.from([0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f]),
  Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
];
const queries = ['', '?format=json', `?id=${run_placeholder}`, `?id=${run_placeholder}&format=json`, '?id=x', '?x=1'] as const;

const handshake = (query: string): string =>
  [
    `GET /ws/progress${query} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${simulation_token}`,
    '\r\n',
  ].join('\r\n');

function make(random: Prng): Mutant {
  const head = Buffer.from(handshake(pick(queries, random)), 'latin1');
  const isAltered = random.below(3) === 0;
  const first = isAltered ? mutateBytes(head, random) : { bytes: head, what: 'as it is' };
  const chosen = Array.from({ length: random.below(6) }, () => random.below(frames.length));
  const body = Buffer.concat(chosen.map((at) => frames[at] ?? head));
  const second = random.below(2) === 0 ? { bytes: body, what: chosen.join(' ') } : mutateBytes(body, random, [...frames]);
  return { bytes: Buffer.concat([first.bytes, second.bytes]), what: `handshake ${first.what}; frames ${second.what}` };
}

/** Codes with which the server ends a socket (RFC 6455, section 7.4.1); 1011, an error of its own, is none of them. */
const closing: readonly number[] = [1000, 1001, 1002, 1003, 1005, 1007, 1008, 1009, 1013];

/** Returns what is wrong with the frames of a server. */
function frameFaults(bytes: Buffer): readonly string[] {
  for (let at = 0; at < bytes.length; ) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    const short = second & 0x7f;
    if ((second & masked) > 0 || (first & 0x70) > 0) return [`a frame of the server begins with ${first} ${second}`];
    if (bytes.length < at + (short < 126 ? 2 : short === 126 ? 4 : 10)) return [];
    const [length, head] =
      short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [Number(bytes.readBigUInt64BE(at + 2)), 10];
    const payload = bytes.subarray(at + head, at + head + length);
    if ((first & 15) === opcodes.close && payload.length >= 2 && !closing.includes(payload.readUInt16BE(0)))
      return [`the socket is closed with ${payload.readUInt16BE(0)}`];
    at += head + length;
  }
  return [];
}

async function open(place: Place): Promise<Target> {
  const daemon = await place.daemon();
  const outcomes = new Outcomes();
  const tryOne = async (input: Buffer): Promise<readonly string[]> => {
    const plan = { afterwards: 'end', wait_ms: response_ms_max } as const;
    const { answers, rest, closed } = await exchangeRaw(daemon.portOf('simulation'), daemon.filled(input), plan);
    outcomes.add(answers.map(({ status }) => status).join(' ') || 'no response');
    const upgraded = answers.find(({ status }) => status === 101);
    const refused = answers.filter(({ status }) => status !== 101);
    const faults = upgraded === undefined && rest !== '' ? [`no whole response: ${JSON.stringify(rest.slice(0, 200))}`] : [];
    return [
      ...(closed !== 'open' ? [] : ['the connection of a client that ended stays open']),
      ...faults,
      ...refused.flatMap((answer) => responseFaults(daemon, 'simulation', answer)),
      ...(upgraded === undefined ? [] : frameFaults(Buffer.from(rest, 'latin1'))),
      ...(await daemon.faults()),
    ];
  };
  return { outcomes, make, try: tryOne, close: () => Promise.resolve([]) };
}

export const socketFrames: TargetKind = {
  name: 'socket',
  what: 'handshakes and frames to the progress socket',
  invariants: [
    'a refused handshake is a whole response with a problem document',
    'the frames of the server are well formed, and its closing code is none for a fault of its own',
    'a connection whose client ended is closed',
  ],
  open,
};
