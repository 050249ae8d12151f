/** The limits of reading a chain, and of invoices. A name ends with its unit. */

// Chain and wallet
/** Time for all requests of one reading, from the first to the last byte. */
export const chain_ms_max = 15_000;
/** All calls together that only make a refusal more precise. */
export const chain_explain_ms_max = 5_000;
export const chain_answer_bytes_max = 2_097_152;
/** A longer answer is decoded on a thread, and how much memory that may take. */
export const chain_answer_inline_bytes_max = 32_768;
export const chain_thread_memory_mb_max = 512;
export const invoice_expiry_days_max = 3_650;
