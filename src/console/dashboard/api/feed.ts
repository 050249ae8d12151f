/**
 * The progress of all runs in flight, from one socket. The server closes it when nothing is in flight any more; it is opened again for
 * what comes next, and after a failure later and later. What was missed in between a listener asks for when it is told `again`.
 */
import { base64Url, bytesOf } from '../../../base/web-crypto.js';
import { progressMessage, type ProgressMessage } from '../../../codec/api-simulation.js';
import type { RunState } from '../../../codec/simulation.js';
import { type Feed, Hub, keepConnected, limitSilence, readMessage } from '../../kit/api/feed.js';
import { begun, retryDelay, type RunProgress, taken } from './progress.js';

export interface FeedListener {
  /** Called at most ten times a second for one run. */
  readonly progress?: (progress: RunProgress) => void;
  readonly ended?: (id: string, state: RunState) => void;
  /** Called when the connection is back after it was lost. */
  readonly again?: () => void;
}

export interface ProgressFeed extends Feed<FeedListener> {
  /** What was heard of a run so far. */
  readonly progressOf: (id: string) => RunProgress | undefined;
}

const tell_every_ms = 100;
/** After the server has closed because nothing is in flight. */
const idle_delay_ms = 1_500;
const normal_closure = 1000;
/** A page that is open for days forgets runs that have ended. */
const kept_runs_max = 500;

export function openFeed(open: OpenSocket): ProgressFeed {
  const hub = new Hub<FeedListener>();
  const runs = new Map<string, RunProgress>();
  const tell = telling(runs, hub);
  const take = (message: ProgressMessage): void => {
    const before = runs.get(message.id) ?? begun(message.id);
    const after = taken(before, message);
    if (after === before) return;
    runs.set(message.id, after);
    if (runs.size > kept_runs_max) forgetEnded(runs);
    tell(message.id);
  };
  let [failures, isAgain] = [0, false];
  void keepConnected(hub.signal, async () => {
    const { opened, code } = await readOnce({ open, hub, take }, isAgain);
    isAgain = true;
    if (opened) failures = 0;
    if (hub.signal.aborted || (code === normal_closure && opened)) return idle_delay_ms;
    hub.become('broken');
    failures += 1;
    return retryDelay(failures, Math.random());
  });
  return { listen: hub.listen, onState: hub.onState, close: hub.close, progressOf: (id) => runs.get(id) };
}

function forgetEnded(runs: Map<string, RunProgress>): void {
  for (const [id, { ended }] of runs) if (ended !== null) runs.delete(id);
}

/** Tells listeners of changed runs, once for a burst of messages. */
function telling(runs: ReadonlyMap<string, RunProgress>, hub: Hub<FeedListener>): (id: string) => void {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    const all = [...changed].flatMap((id) => runs.get(id) ?? []);
    changed.clear();
    if (hub.signal.aborted) return;
    for (const progress of all)
      hub.tell((listener) => {
        listener.progress?.(progress);
        if (progress.ended !== null) listener.ended?.(progress.id, progress.ended);
      });
  };
  return (id) => {
    changed.add(id);
    timer ??= setTimeout(flush, tell_every_ms);
  };
}

interface Following {
  readonly open: OpenSocket;
  readonly hub: Hub<FeedListener>;
  readonly take: (message: ProgressMessage) => void;
}

/** One connection from beginning to end. */
const readOnce = (
  { open, hub, take }: Following,
  isAgain: boolean,
): Promise<{ readonly opened: boolean; readonly code: number }> =>
  new Promise((resolve) => {
    const socket = open();
    let opened = false;
    const end = (): void => socket.close();
    // A server without news looks like one that hangs; whether the next connection can be opened tells them apart.
    const silence = limitSilence(() => {
      end();
      if (opened) resolve({ opened, code: normal_closure });
    });
    hub.signal.addEventListener('abort', end);
    socket.addEventListener('open', () => {
      opened = true;
      silence.heard();
      hub.become('live');
      if (isAgain) hub.tell((listener) => listener.again?.());
    });
    socket.addEventListener('message', ({ data }) => {
      silence.heard();
      const message = readMessage(progressMessage, String(data));
      if (message !== null) take(message);
    });
    socket.addEventListener('close', ({ code }) => {
      silence.stop();
      hub.signal.removeEventListener('abort', end);
      resolve({ opened, code });
    });
  });

/** The progress socket. The token goes along as a subprotocol, which the server does not echo; never in the address. */
const progress_protocol = 'agi-progress.v1';

export type OpenSocket = () => WebSocket;

export function socketFor(token: string): OpenSocket {
  return () => {
    const address = new URL('/ws/progress?format=json', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(address, [progress_protocol, `bearer.${base64Url(bytesOf(token))}`]);
  };
}
