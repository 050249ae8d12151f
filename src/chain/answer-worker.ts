/** A thread that decodes one answer of a node. */
import { parentPort, workerData } from 'node:worker_threads';
import { ChainError, decodeAnswer } from './answer.js';
import type { AnswerDone, AnswerTask } from './node.js';

const { bytes, asked } = workerData as AnswerTask;

function done(): AnswerDone {
  try {
    return { result: decodeAnswer(bytes, asked) };
  } catch (error) {
    if (error instanceof ChainError) return { malformed: error.message };
    throw error;
  }
}

parentPort?.postMessage(done());
