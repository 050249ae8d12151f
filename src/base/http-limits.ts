/** The limits of both HTTP servers; `limits.ts` has all others. A name ends with its unit. */

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
/** A larger response is sent in pages of this size, each when the client has taken the one before. */
export const http_page_bytes = 65_536;
/** A larger response that is made for one request waits in a private temporary file, not in memory. */
export const http_held_bytes_max = 262_144;
/** Time for open responses to finish when the server stops. */
export const http_stop_ms_max = 5_000;
export const problem_text_chars_max = 500;
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
/** A login code: its random bytes, how long it is valid, and how many unused ones are kept. Every tab that is signed in gives a new tab one. */
export const login_code_bytes = 16;
export const login_code_ms_max = 120_000;
export const login_codes_max = 64;
/** Wrong login codes within `wrong_logins_ms` that void every unused code. */
export const wrong_logins_max = 10;
export const wrong_logins_ms = 60_000;
/** A session that a login code opened. */
export const session_ms_max = 43_200_000;
export const sessions_max = 100;
/** Readings of the chain that requests have begun, in all and of one actor. */
export const chain_readings_max = 16;
export const chain_readings_per_actor_max = 4;
