/** The limits of the message bus. A name ends with its unit. */

/** Size of one message as it is received, compressed or not. */
export const bus_message_bytes_max = 1_048_576;
/** Open connections. */
export const bus_peers_max = 1_000;
/** Wrong first messages and wrong tokens of one connection: the last one gets PERMISSION_DENIED and ends the connection. */
export const bus_failures_per_peer_max = 3;
/** Malformed envelopes of one connection: the last one gets PERMISSION_DENIED and ends the connection. */
export const bus_malformed_per_peer_max = 100;
/** Envelopes of one connection, and of all, that are accepted within `bus_window_ms`. */
export const bus_envelopes_per_peer_max = 60;
export const bus_envelopes_max = 600;
export const bus_window_ms = 60_000;
/** Calls of one connection that are open at once. */
export const bus_calls_per_peer_max = 16;
/** Calls of all connections whose messages are being received. */
export const bus_receiving_max = 256;
/** Time from the connection to its first call, the TLS handshake included. */
export const bus_first_call_ms_max = 10_000;
/** Time from the head of a call to the end of its message. */
export const bus_message_ms_max = 15_000;
/** Time between two pings of a connection, and for the response to one. */
export const bus_ping_ms = 20_000;
export const bus_ping_answer_ms_max = 10_000;
/** A connection without a call for this time is closed. */
export const bus_idle_ms_max = 600_000;
/** Time for a peer to read the last response before its connection ends. */
export const bus_linger_ms = 250;
/** Time for open calls to finish when the server stops. */
export const bus_stop_ms_max = 5_000;
/** Length of the nonce that may follow the handshake. */
export const bus_nonce_chars_max = 256;
/** Length of `sender` and of `recipient`. */
export const bus_name_chars_max = 256;
export const bus_token_chars_min = 16;
export const bus_token_chars_max = 1_024;
/** Size of a certificate or key file. */
export const bus_pem_bytes_max = 1_048_576;
/** Length of the reason in a status. */
export const bus_reason_chars_max = 300;
/** Time for a client's call. */
export const bus_client_ms_max = 10_000;
/** Envelopes that `bus tail` prints at its start. */
export const bus_tail_default = 10;
export const bus_tail_max = 1_000;
/** Time between two looks of `bus tail` for new envelopes. */
export const bus_tail_look_ms = 200;
