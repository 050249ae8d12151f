/** The limits of both HTTP servers; tests pass shorter ones. A name ends with its unit. */
import { failed_login_addresses_max, failed_logins_max, failed_logins_per_address_max } from '../../base/limits.js';

export const defaultSettings = {
  http_body_bytes_max: 524_288,
  /** Time from the end of the head to the end of the body. */
  http_body_ms_max: 15_000,
  /** Size of the request line and header fields together. */
  http_head_bytes_max: 24_576,
  http_head_ms_max: 10_000,
  http_headers_max: 200,
  /** Time for a whole request; its head and body have shorter ones. */
  http_request_ms_max: 30_000,
  /** Time between two checks of the time limits of heads, responses and idle connections. */
  http_check_ms: 1_000,
  http_connections_max: 256,
  /** Requests of one connection without a response; no more are taken. */
  http_pipelined_max: 16,
  http_keep_alive_ms: 5_000,
  /** After a refusal the rest of an upload is read and dropped for this time, so that the client can read the response. */
  http_linger_ms_max: 1_000,
  /** Time for a client to take a response, from when it does not take it at once; and 1 s more for each 64 KiB that is sent. */
  http_send_ms_max: 60_000,
  http_send_bytes_per_ms_min: 65.536,
  /** Time for open responses to finish when the server stops. */
  http_stop_ms_max: 5_000,
  event_streams_max: 64,
  /** Open streams of one actor: the tabs of a few browsers. */
  event_streams_per_actor_max: 16,
  event_heartbeat_ms: 15_000,
  failed_logins_per_address_max,
  failed_logins_max,
  failed_login_addresses_max,
  /** A body sent to an endpoint that needs no token: a login code, or the registration of a passkey. */
  http_public_body_bytes_max: 4_096,
};

export type Settings = Readonly<Record<keyof typeof defaultSettings, number>>;
