/** The process that reads files: a request on standard input, the outcome or the comparison as a line of JSON on standard output. It has no home and no keys. */
import { buffer } from 'node:stream/consumers';
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { threadScript } from '../../base/thread-script.js';
import { readFiles } from '../read.js';
import type { ReadingRequest } from './request.js';

const { kind, files, options, limits, recorded } = deserialize(await buffer(process.stdin)) as ReadingRequest;
new Worker(threadScript(new URL('./guard-worker.js', import.meta.url)), { workerData: limits }).unref();
const answer =
  recorded === undefined
    ? await readFiles(kind, files, options)
    : await (await import('../compare/compare.js')).compareFiles(recorded, files);
process.stdout.write(`${JSON.stringify(answer)}\n`);
