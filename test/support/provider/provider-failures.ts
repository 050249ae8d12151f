/** Every way in which a provider can fail a call, on a real socket. */
import { gzipSync } from 'node:zlib';
import { provider_answer_bytes_max } from '../../../src/provider/complete.js';
import { answers, bare, completion, lists, raw, status, type ProviderScript } from './provider-server.js';

const big = JSON.stringify({ filler: 'x'.repeat(2 * 1_048_576) });

/** What the server does, the reason of the failure, and a part of its sentence. */
export const failures: readonly (readonly [string, ProviderScript, string, string])[] = [
  ['401', { chat: status(401) }, 'status', 'the provider responded with status 401: it refused the key, or wants one'],
  ['403', { chat: status(403) }, 'status', 'status 403: it refused the key'],
  ['404', { chat: status(404) }, 'status', 'status 404: llm_url must be the address before /chat/completions'],
  ['429', { chat: status(429, { 'retry-after': '0' }) }, 'status', 'status 429: it limits requests; recover the mission later'],
  ['500', { chat: status(500) }, 'status', 'status 500: it failed; recover the mission later'],
  ['101', { chat: bare('HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n') }, 'status', 'status 101: only 200 is'],
  [
    '400 for an unsupported json_schema',
    { chat: status(400) },
    'status',
    'status 400: it may not support the configured llm_response_format',
  ],
  [
    'a redirect',
    { chat: status(307, { location: '/v1/models' }) },
    'redirect',
    'responded with a redirect (307), which is not followed',
  ],
  ['401 for the list of models', { models: status(401) }, 'status', 'status 401'],
  [
    'a list without the model',
    { models: lists('large'), chat: answers({}) },
    'model_not_listed',
    'does not list the model small',
  ],
  [
    'a response that is not HTTP',
    { chat: bare('UNREPEATED\r\n\r\n') },
    'malformed',
    'the provider sent a response that is not HTTP/1.1',
  ],
  [
    'a header field that is none',
    { chat: bare('HTTP/1.1 200 OK\r\nUNREPEATED x: 1\r\n\r\n') },
    'malformed',
    'the provider sent a response that is not HTTP/1.1',
  ],
  ['a list of models that is not HTTP', { models: bare('UNREPEATED') }, 'malformed', 'sent a response that is not HTTP/1.1'],
  ['a response that is not JSON', { chat: raw('UNREPEATED') }, 'malformed', 'sent a response that is not JSON'],
  ['a response that is not UTF-8', { chat: raw(Buffer.of(0x22, 0xff, 0x22)) }, 'malformed', 'not valid UTF-8'],
  ['a response of another shape', { chat: raw('{"UNREPEATED":1}') }, 'malformed', 'not a chat completion: choices: required'],
  ['no choice', { chat: completion('{}', { choices: [] }) }, 'malformed', '0 choices in place of one'],
  ['no text', { chat: completion(null) }, 'malformed', 'a response without text'],
  ['an empty text', { chat: completion('') }, 'malformed', 'content that is not one JSON object'],
  ['fenced JSON', { chat: completion('```json\n{}\n```') }, 'malformed', 'JSON in a Markdown fence'],
  ['JSON with words after it', { chat: completion('{} UNREPEATED') }, 'malformed', 'content that is not one JSON object'],
  ['truncated JSON', { chat: completion('{"a":[1') }, 'malformed', 'the document ends too early'],
  [
    'a repeated member',
    { chat: completion('{"UNREPEATED":1,"UNREPEATED":2}') },
    'malformed',
    'content that is not one JSON object',
  ],
  ['a list', { chat: completion('[]') }, 'malformed', 'it is another JSON value'],
  [
    'finish_reason length',
    { chat: completion('{}', {}, { finish_reason: 'length' }) },
    'truncated',
    '(finish_reason length); raise max_output_tokens',
  ],
  [
    'finish_reason content_filter',
    { chat: completion('{}', {}, { finish_reason: 'content_filter' }) },
    'truncated',
    'finish_reason is not stop',
  ],
  ['no finish_reason', { chat: completion('{}', {}, { finish_reason: null }) }, 'truncated', 'finish_reason is not stop'],
  ['a body of 2 MiB', { chat: completion(big) }, 'too_large', `responded with more than ${provider_answer_bytes_max} bytes`],
  ['a list of models of 2 MiB', { models: raw(big) }, 'too_large', `responded with more than ${provider_answer_bytes_max} bytes`],
  [
    'a never-ending body',
    {
      chat: (response) => {
        const more = (error?: Error | null): void => void (error || response.destroyed || response.write(big, more));
        more();
      },
    },
    'too_large',
    'responded with more than',
  ],
  [
    'gzip of more than 1 MiB',
    { chat: raw(gzipSync(big), { 'content-encoding': 'gzip' }) },
    'compressed',
    'sent a compressed response, which was not requested',
  ],
  ['headers without an end', { chat: raw('{}', { filler: 'x'.repeat(40_000) }) }, 'too_large', 'sent too many headers'],
  [
    'a connection that closes',
    { chat: (response) => void response.destroy() },
    'connection',
    'could not be reached, or broke off (',
  ],
  [
    'a body that breaks off',
    {
      chat: (response) =>
        void (response.writeHead(200, { 'content-length': 99 }).write('{'), setTimeout(() => response.destroy(), 20)),
    },
    'connection',
    'could not be reached, or broke off (ECONNRESET)',
  ],
];
