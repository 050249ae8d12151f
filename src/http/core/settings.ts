/** The limits of one server; tests pass shorter ones. */
import * as limits from '../../base/http-limits.js';

export const defaultSettings = {
  body_bytes_max: limits.http_body_bytes_max,
  /** The limit of a body at an endpoint that needs no token. */
  public_body_bytes_max: limits.http_public_body_bytes_max,
  body_ms_max: limits.http_body_ms_max,
  head_bytes_max: limits.http_head_bytes_max,
  head_ms_max: limits.http_head_ms_max,
  headers_max: limits.http_headers_max,
  request_ms_max: limits.http_request_ms_max,
  check_ms: limits.http_check_ms,
  connections_max: limits.http_connections_max,
  pipelined_max: limits.http_pipelined_max,
  keep_alive_ms: limits.http_keep_alive_ms,
  linger_ms_max: limits.http_linger_ms_max,
  send_ms_max: limits.http_send_ms_max,
  send_bytes_per_ms_min: limits.http_send_bytes_per_ms_min,
  stop_ms_max: limits.http_stop_ms_max,
  event_streams_max: limits.event_streams_max,
  event_streams_per_actor_max: limits.event_streams_per_actor_max,
  event_heartbeat_ms: limits.event_heartbeat_ms,
  failed_logins_per_address_max: limits.failed_logins_per_address_max,
  failed_logins_max: limits.failed_logins_max,
  failed_login_addresses_max: limits.failed_login_addresses_max,
};

export type Settings = Readonly<typeof defaultSettings>;
