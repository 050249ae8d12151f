/** One HTTP exchange with a provider: no proxy, no redirect, no retry, no compression, a response of bounded length. */
import type { LookupFunction } from 'node:net';
import { provider_address_ms, provider_answer_bytes_max, provider_head_bytes_max } from '../base/provider-limits.js';
import { CallFailed, connectionFailure, statusFailure } from './failure.js';
import type { ProviderKey } from './key.js';

export interface Exchange {
  readonly url: URL;
  readonly lookup: LookupFunction;
  readonly key: ProviderKey | null;
  /** The text to post; null for a GET. */
  readonly body: string | null;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns the body of a response with status 200. @throws CallFailed; the signal's reason when it aborts */
export async function exchange({ url, lookup, key, body, ca, signal }: Exchange): Promise<Buffer> {
  // Loaded here, because most commands make no call.
  const { Client } = await import('undici');
  const client = new Client(url.origin, {
    connect: {
      lookup,
      rejectUnauthorized: true,
      timeout: 0,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: provider_address_ms,
      ...(ca === undefined ? {} : { ca }),
    },
    pipelining: 1,
    // The signal is the deadline of everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: provider_head_bytes_max,
  });
  try {
    const response = await client.request({
      path: url.pathname,
      method: body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { authorization: key.authorization }),
      },
      body,
      reset: true,
      signal,
    });
    // Errors of a body that is not read to its end are of no interest.
    response.body.on('error', () => undefined);
    if (response.statusCode !== 200) throw statusFailure(response.statusCode);
    const encoding = response.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new CallFailed('compressed', 'sent a compressed response, which was not requested');
    return await collect(response.body);
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(error);
  } finally {
    await client.destroy();
  }
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > provider_answer_bytes_max)
      throw new CallFailed('too_large', `responded with more than ${provider_answer_bytes_max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
