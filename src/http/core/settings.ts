/** The limits of one server; tests pass shorter ones. */
import * as limits from '../../base/http-limits.js';

export const defaultSettings = {
  body_bytes_max: limits.http_body_bytes_max,
  /** The limit of a body at an endpoint that needs no token. */
  public_body_bytes_max: limits.http_public_body_bytes_max,
  body_ms_max: limits.http_body_ms_max,
  large_body_bytes: limits.http_large_body_bytes,
  large_bodies_max: limits.http_large_bodies_max,
  large_bodies_waiting_max: limits.http_large_bodies_waiting_max,
  large_body_wait_ms_max: limits.http_large_body_wait_ms_max,
  large_body_rest_ms_max: limits.http_large_body_rest_ms_max,
  head_bytes_max: limits.http_head_bytes_max,
  head_ms_max: limits.http_head_ms_max,
  headers_max: limits.http_headers_max,
  connections_max: limits.http_connections_max,
  reserved_connections_max: limits.http_reserved_connections_max,
  drop_log_ms: limits.http_drop_log_ms,
  pipelined_max: limits.http_pipelined_max,
  keep_alive_ms: limits.http_keep_alive_ms,
  linger_ms_max: limits.http_linger_ms_max,
  linger_bytes_max: limits.http_linger_bytes_max,
  send_ms_max: limits.http_send_ms_max,
  piece_bytes: limits.http_piece_bytes,
  piece_ms_max: limits.http_piece_ms_max,
  turn_bytes: limits.http_turn_bytes,
  send_bytes_per_ms_min: limits.http_send_bytes_per_ms_min,
  sending_bytes_max: limits.http_sending_bytes_max,
  sending_per_client_bytes_max: limits.http_sending_per_client_bytes_max,
  stop_ms_max: limits.http_stop_ms_max,
  event_streams_max: limits.event_streams_max,
  event_streams_per_actor_max: limits.event_streams_per_actor_max,
  event_heartbeat_ms: limits.event_heartbeat_ms,
  event_drain_ms_max: limits.event_drain_ms_max,
  failed_logins_per_address_max: limits.failed_logins_per_address_max,
  failed_logins_max: limits.failed_logins_max,
  failed_login_addresses_max: limits.failed_login_addresses_max,
};

export type Settings = Readonly<typeof defaultSettings>;
