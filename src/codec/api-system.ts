/** What every HTTP server of the program returns about itself. */
import * as t from 'io-ts';
import { choice, mapOf, object, required } from './kit.js';

export const healthCodec = object('Health', { status: required(choice('ok')) });
export const openApiCodec = mapOf(t.unknown);
