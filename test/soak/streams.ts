/** Clients that follow: the progress of a run on a WebSocket, and the feed of entries as server-sent events. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Target } from '../drill/real-daemon.js';
import { simulation_token } from '../drill/real-daemon.js';
import { hang_ms } from '../support/wait.js';

/** Follows a run until the server closes the socket. Returns the code with which it closes. */
export async function progress(simulation: string, id: string, format: 'text' | 'json'): Promise<number> {
  const url = `${simulation.replace('http:', 'ws:')}ws/progress?id=${id}&format=${format}`;
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${simulation_token}` }, handshakeTimeout: hang_ms });
  const timer = setTimeout(() => socket.terminate(), hang_ms);
  try {
    socket.on('message', () => undefined).on('error', () => undefined);
    // A refused handshake is an error event, which rejects.
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  } finally {
    clearTimeout(timer);
  }
}

const followed_ms = 2_000;

/** Follows the feed for two seconds. Returns what is wrong, or null. */
export function followed({ operator, token }: Target): Promise<string | null> {
  return new Promise((resolve) => {
    let isEnough = false;
    const taken = (response: IncomingMessage): void => {
      if (response.statusCode !== 200) resolve(`status ${response.statusCode ?? 0}`);
      response.resume().once('close', () => resolve(isEnough ? null : 'the stream ended'));
      setTimeout(() => {
        isEnough = true;
        asked.destroy();
      }, followed_ms);
    };
    const headers = { Authorization: `Bearer ${token}` };
    const asked = request(`${operator}api/events`, { headers, agent: false }, taken);
    asked.on('error', ({ message }) => resolve(isEnough ? null : message)).end();
  });
}
