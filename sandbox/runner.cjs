/**
 * Runs a candidate on the arguments of one case, inside the sandbox. It never sees an expected value.
 *
 * `job` is {"code", "args": JSON text}. One frame on standard output: a length of 4 bytes (big-endian), then "OUTCOME\n" and a text. What the
 * candidate prints goes to standard error. The bootstrap calls this program with the job and `require`.
 */
'use strict';
const fs = require('node:fs');
const { Writable } = require('node:stream');
const vm = require('node:vm');
const frame_bytes_max = 600_000;
// A candidate may replace these for itself.
const { writeSync } = fs;
const { parse, stringify } = JSON;
const { isArray, from } = Array;
const { getPrototypeOf, keys, prototype: plain } = Object;
const { isFinite } = Number;
const { apply } = Reflect;
const { alloc, from: bytesOf } = Buffer;

function put(outcome, text) {
  let body = bytesOf(`${outcome}\n${text}`);
  if (body.length > frame_bytes_max) body = bytesOf(`too_large\n${body.length} bytes`);
  const frame = alloc(4 + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at);
}

function describe(error) {
  try {
    return `${error?.name ?? 'Error'}: ${error?.message ?? String(error)}`.slice(0, 300);
  } catch {
    return 'Error';
  }
}

class Invalid extends Error {}

/** Returns the JSON text of a value. Refuses what JSON.stringify would change or leave out. */
function encode(value, depth = 0) {
  if (depth > 70) throw new Invalid('nested too deep');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Invalid('a text with an unpaired surrogate');
    return stringify(value);
  }
  if (typeof value === 'number') {
    if (!isFinite(value)) throw new Invalid(String(value));
    return stringify(value);
  }
  if (isArray(value)) return `[${from(value, (item) => encode(item, depth + 1)).join(',')}]`;
  const prototype = typeof value === 'object' ? getPrototypeOf(value) : undefined;
  if (prototype !== plain && prototype !== null) throw new Invalid(`a value of type ${typeof value}`);
  return `{${keys(value)
    .map((name) => `${stringify(name)}:${encode(value[name], depth + 1)}`)
    .join(',')}}`;
}

/** Returns the error of a candidate that cannot be loaded, with the line of one that cannot be parsed. */
function describeLoad(error) {
  const [, line] = /^candidate\.js:([0-9]+)\n/.exec(String(error?.stack)) ?? [];
  return `${describe(error)}${line === undefined ? '' : ` (candidate.js, line ${line})`}`;
}

async function run() {
  // Node would open both streams without blocking: a long frame would break off, and a part of what is printed would never be written.
  const write = (chunk, _encoding, done) => {
    for (let at = 0; at < chunk.length; ) at += writeSync(2, chunk, at);
    done();
  };
  const printed = new Writable({ write });
  for (const name of ['stdout', 'stderr']) Object.defineProperty(process, name, { get: () => printed });
  globalThis.require = require;
  let solve;
  try {
    new vm.Script(job.code, { filename: 'candidate.js' }).runInThisContext();
    solve = vm.runInThisContext("typeof solve === 'function' ? solve : undefined");
    if (solve === undefined) throw new TypeError('it defines no solve(...)');
  } catch (error) {
    return put('raised', describeLoad(error));
  }
  let value;
  try {
    value = await apply(solve, undefined, parse(job.args));
  } catch (error) {
    return put('raised', describe(error));
  }
  try {
    put('returned', encode(value));
  } catch (error) {
    put('invalid', error instanceof Invalid ? error.message : describe(error));
  }
}

run().then(() => process.exit(0));
