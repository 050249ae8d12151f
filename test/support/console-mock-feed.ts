/** The mock's feed: entries as they appear in the journal's file, and invented progress. */
import type { ServerResponse } from 'node:http';
import type { Mock } from './console-mock-types.js';

const poll_ms = 100;
const isMission = (stream: string): boolean => /^[0-9a-f]{8}-/.test(stream);

export function feedFor(mock: Mock): {
  readonly open: (response: ServerResponse, after: number) => void;
  readonly close: () => void;
} {
  const clients = new Map<ServerResponse, number>();
  const tick = (): void => {
    if (clients.size === 0) return;
    const entries = mock.entries();
    for (const [response, after] of clients) {
      for (const { sequence, time, stream, type } of entries.slice(after)) {
        const data = { sequence, time, stream, type, mission: isMission(stream) ? stream : null };
        response.write(`id: ${sequence}\nevent: entry\ndata: ${JSON.stringify(data)}\n\n`);
      }
      clients.set(response, entries.length);
      for (const [mission, done] of mock.progress)
        response.write(`event: progress\ndata: ${JSON.stringify({ mission, attempt: 1, stage: 'strategy', done })}\n\n`);
    }
    for (const [mission, done] of mock.progress) mock.progress.set(mission, Math.min(0.95, done + 0.02));
  };
  const timer = setInterval(tick, poll_ms);
  return {
    open: (response, after) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(': hello\n\n');
      clients.set(response, after);
      response.on('close', () => clients.delete(response));
    },
    close: () => clearInterval(timer),
  };
}
