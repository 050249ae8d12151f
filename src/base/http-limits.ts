/** The limits of both HTTP servers; `limits.ts` has all others. A name ends with its unit. */

export const http_body_bytes_max = 524_288;
/** Time from the end of the head to the end of the body. */
export const http_body_ms_max = 15_000;
/** A larger body is read only when few others of the same client are. */
export const http_large_body_bytes = 65_536;
/** Large bodies of one client that are read and decoded at once, and those that wait unread. */
export const http_large_bodies_max = 2;
export const http_large_bodies_waiting_max = 16;
export const http_large_body_wait_ms_max = 15_000;
/** Time for everything else after a large body is decoded: as long as that took, but not longer than this. */
export const http_large_body_rest_ms_max = 200;
/** Size of the request line and header fields together. */
export const http_head_bytes_max = 16_384;
export const http_head_ms_max = 15_000;
export const http_headers_max = 100;
export const http_connections_max = 256;
/** Connections beyond these, for requests that must always be possible: pause, cancel and health. */
export const http_reserved_connections_max = 16;
/** Time between two lines of the log about closed connections. */
export const http_drop_log_ms = 60_000;
export const http_pipelined_max = 16;
export const http_keep_alive_ms = 5_000;
/** After a refusal the rest of an upload is read and dropped for this time, so that the client can read the response. */
export const http_linger_ms_max = 1_000;
export const http_linger_bytes_max = 8_388_608;
/** Time for a client to read a response; a large one gets more, by its size. */
export const http_send_ms_max = 60_000;
/** A larger body is sent in pieces of this size, each when the client has read the one before. */
export const http_piece_bytes = 65_536;
/** Time for a client to read a piece. */
export const http_piece_ms_max = 15_000;
/** What is written of all large bodies in one turn of the event loop: about a millisecond's work. */
export const http_turn_bytes = 1_048_576;
/** The slowest rate at which a large body is sent. */
export const http_send_bytes_per_ms_min = 16;
/** Size of the large bodies that are being sent, equal ones counted once: to all clients, and to one. */
export const http_sending_bytes_max = 134_217_728;
export const http_sending_per_client_bytes_max = 33_554_432;
/** Time for open responses to finish when the server stops. */
export const http_stop_ms_max = 5_000;
export const problem_text_chars_max = 500;
export const event_streams_max = 64;
/** Open streams of one actor: the tabs of a few browsers. */
export const event_streams_per_actor_max = 16;
export const event_heartbeat_ms = 15_000;
/** Time for a client of an event stream to read what was sent. */
export const event_drain_ms_max = 10_000;
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
