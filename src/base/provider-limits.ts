/** The limits of calls to a model provider. A name ends with its unit. */

/** The size of a response's body. Compressed responses are refused, so that this is also what is received. */
export const provider_answer_bytes_max = 1_048_576;
export const provider_head_bytes_max = 16_384;
/** Time for one address of several to accept a connection before the next one is tried. */
export const provider_address_ms = 250;
/** A shorter key is only accepted on loopback: as a secret it is none, and a response may contain it by chance. */
export const provider_key_chars_min = 8;
export const provider_key_chars_max = 4_096;
export const provider_model_chars_max = 300;
