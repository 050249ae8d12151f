/** The limits of alerts. A name ends with its unit. */

/** Length of ALERT_WEBHOOK_URL. */
export const alert_url_chars_max = 2_048;
/** Time for one try to send an alert. */
export const alert_ms_max = 5_000;
export const alert_tries_max = 3;
/** Pause after the first failed try; each further pause is four times as long. */
export const alert_pause_ms = 1_000;
/** What is read of the webhook's answer, and dropped. */
export const alert_answer_bytes_max = 65_536;
/** The same alert again within this time is counted and not sent. */
export const alert_repeat_ms = 600_000;
/** Alerts that are sent within `alert_window_ms`; further ones wait. */
export const alerts_per_window_max = 10;
export const alert_window_ms = 60_000;
/** Alerts that wait to be sent; further ones are shown and not sent. */
export const alerts_waiting_max = 20;
/** Alerts that are kept for the console. */
export const alerts_kept_max = 100;
/** Share of 429 among the responses of a minute beyond which there is an alert. */
export const alert_refused_share_max = 0.05;
export const alert_responses_ms = 60_000;
/** Less free space than this on the disk of the home is an alert. */
export const alert_free_bytes_min = 268_435_456;
/** Time between two looks at the free space. */
export const alert_disk_look_ms = 60_000;
