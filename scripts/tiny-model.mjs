/**
 * Writes a tiny language model in the GGUF format (version 3) for a test with a real llama-server: one layer without effect, so that each
 * byte depends on the byte before it alone. It prefers JSON's punctuation, and in every text it writes one word. Deterministic.
 *
 * Usage: node scripts/tiny-model.mjs FILE
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** No letter twice, because a letter decides the next one. A source that contains the word can be quoted. */
export const word = 'tides';

const [embedding, heads, hidden, context] = [64, 2, 64, 16_384];
/** Ids: unknown, begin and end, then the 256 bytes. */
const [unknown, begin, end, first_byte] = [0, 1, 2, 3];
const vocabulary = first_byte + 256;
const byte = (character) => first_byte + character.charCodeAt(0);

/** Which token follows which one, and how much it is preferred to others that fit the grammar. */
const follows = [
  ['\n', '{', 2],
  ['{', '"', 2],
  ['[', '{', 2],
  [':', '"', 2],
  [':', '[', 1.5],
  [',', '"', 2],
  ['"', word[0], 2],
  ...[...word].map((letter, i) => [letter, word[i + 1] ?? '"', 2]),
  ['}', ']', 2],
  [']', '}', 2],
].map(([from, to, weight]) => [byte(from), byte(to), weight]);

/** Returns a generator of numbers in (−1, 1) (xorshift32). */
function noise(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

/** Vectors of almost equal length, any two of them almost at a right angle. */
function embeddings() {
  const next = noise(0x7469_6465);
  return Array.from({ length: vocabulary }, () => Float32Array.from({ length: embedding }, () => Math.sign(next()) / 8));
}

function tensors() {
  const tokens = embeddings();
  const output = tokens.map(() => new Float32Array(embedding));
  const prefer = ([from, to, weight]) => tokens[from].forEach((value, i) => (output[to][i] += weight * value));
  follows.forEach(prefer);
  prefer([byte('}'), end, 1]);
  const matrix = (rows, columns) => ({ shape: [columns, rows], values: new Float32Array(rows * columns) });
  const ones = { shape: [embedding], values: new Float32Array(embedding).fill(1) };
  const square = () => matrix(embedding, embedding);
  const rows = (list) => ({ shape: [embedding, vocabulary], values: Float32Array.from(list.flatMap((row) => [...row])) });
  return {
    'token_embd.weight': rows(tokens),
    'output_norm.weight': ones,
    'output.weight': rows(output),
    'blk.0.attn_norm.weight': ones,
    'blk.0.attn_q.weight': square(),
    'blk.0.attn_k.weight': square(),
    'blk.0.attn_v.weight': square(),
    'blk.0.attn_output.weight': square(),
    'blk.0.ffn_norm.weight': ones,
    'blk.0.ffn_gate.weight': matrix(hidden, embedding),
    'blk.0.ffn_up.weight': matrix(hidden, embedding),
    'blk.0.ffn_down.weight': matrix(embedding, hidden),
  };
}

/** The types of metadata values, and of tensors (GGUF specification). */
const [type_uint32, type_int32, type_float32, type_bool, type_string, type_array] = [4, 5, 6, 7, 8, 9];
const [token_unknown, token_control, token_byte] = [2, 3, 6];
const tensor_float32 = 0;
const alignment = 32;

const u32 = (value) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const scalars = {
  [type_uint32]: u32,
  [type_int32]: (value) => Buffer.from(Int32Array.of(value).buffer),
  [type_float32]: (value) => Buffer.from(Float32Array.of(value).buffer),
  [type_bool]: (value) => Buffer.of(value ? 1 : 0),
  [type_string]: text,
};
const list = (type, values) => [type_array, Buffer.concat([u32(type), u64(values.length), ...values.map(scalars[type])])];
const one = (type, value) => [type, scalars[type](value)];

function metadata() {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const special = [token_unknown, token_control, token_control];
  return {
    'general.architecture': one(type_string, 'llama'),
    'general.name': one(type_string, 'tiny'),
    'llama.context_length': one(type_uint32, context),
    'llama.embedding_length': one(type_uint32, embedding),
    'llama.block_count': one(type_uint32, 1),
    'llama.feed_forward_length': one(type_uint32, hidden),
    'llama.rope.dimension_count': one(type_uint32, embedding / heads),
    'llama.attention.head_count': one(type_uint32, heads),
    'llama.attention.layer_norm_rms_epsilon': one(type_float32, 1e-5),
    'tokenizer.ggml.model': one(type_string, 'llama'),
    'tokenizer.ggml.tokens': list(type_string, ['<unk>', '<s>', '</s>', ...bytes]),
    'tokenizer.ggml.scores': list(type_float32, new Array(vocabulary).fill(0)),
    'tokenizer.ggml.token_type': list(type_int32, [...special, ...bytes.map(() => token_byte)]),
    'tokenizer.ggml.bos_token_id': one(type_uint32, begin),
    'tokenizer.ggml.eos_token_id': one(type_uint32, end),
    'tokenizer.ggml.add_space_prefix': one(type_bool, false),
    'tokenizer.ggml.unknown_token_id': one(type_uint32, unknown),
  };
}

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);

/** Returns the bytes of the model's file. */
export function tinyModel() {
  const values = Object.entries(metadata()).map(([name, [type, bytes]]) => Buffer.concat([text(name), u32(type), bytes]));
  const named = Object.entries(tensors());
  let offset = 0;
  const infos = [];
  const data = [];
  for (const [name, { shape, values: numbers }] of named) {
    infos.push(Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(tensor_float32), u64(offset)]));
    const bytes = padded(Buffer.from(numbers.buffer));
    data.push(bytes);
    offset += bytes.length;
  }
  const head = [Buffer.from('GGUF'), u32(3), u64(named.length), u64(values.length)];
  return Buffer.concat([padded(Buffer.concat([...head, ...values, ...infos])), ...data]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === undefined) throw new Error('usage: node scripts/tiny-model.mjs FILE');
  writeFileSync(process.argv[2], tinyModel());
}
