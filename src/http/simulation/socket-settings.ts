/** The limits of the progress socket; tests pass shorter ones. */
import * as limits from '../../base/simulation-limits.js';

export const defaultSocketSettings = {
  sockets_max: limits.progress_sockets_max,
  sockets_per_address_max: limits.progress_sockets_per_address_max,
  buffered_bytes_max: limits.progress_buffered_bytes_max,
  burst_messages_max: limits.progress_burst_messages_max,
  drain_ms_max: limits.progress_drain_ms_max,
  close_ms_max: limits.progress_close_ms_max,
  ping_ms: limits.progress_ping_ms,
  message_bytes_max: limits.progress_message_bytes_max,
  messages_max: limits.progress_messages_max,
};

export type SocketSettings = Readonly<typeof defaultSocketSettings>;
