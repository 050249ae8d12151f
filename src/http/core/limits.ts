/** The limits of both HTTP servers. A name ends with its unit. */

export const http_body_bytes_max = 524_288;
/** Time from the end of the head to the end of the body. */
export const http_body_ms_max = 15_000;
/** Size of the request line and header fields together. */
export const http_head_bytes_max = 16_384;
export const http_head_ms_max = 10_000;
export const http_headers_max = 200;
/** Time for a whole request; its head and body have shorter ones. */
export const http_request_ms_max = 30_000;
/** Time between two checks of the time limits of heads, responses and idle connections. */
export const http_check_ms = 1_000;
export const http_connections_max = 256;
/** Requests of one connection without a response; no more are taken. */
export const http_pipelined_max = 16;
export const http_keep_alive_ms = 5_000;
/** After a refusal the rest of an upload is read and dropped for this time, so that the client can read the response. */
export const http_linger_ms_max = 1_000;
/** Time for a client to take what waits to be sent, and the further time for what it takes: 1 s for each 64 KiB. */
export const http_send_ms_max = 60_000;
export const http_send_bytes_per_ms_min = 65.536;
/** Time for open responses to finish when the server stops. */
export const http_stop_ms_max = 5_000;
export const event_streams_max = 64;
/** Open streams of one actor: the tabs of a few browsers. */
export const event_streams_per_actor_max = 16;
export const event_heartbeat_ms = 15_000;
/** Failed logins per minute, from one address and from all addresses. */
export const failed_logins_per_address_max = 10;
export const failed_logins_max = 100;
export const failed_login_addresses_max = 1_024;
/** A body sent to an endpoint that needs no token. */
export const http_public_body_bytes_max = 1_024;
