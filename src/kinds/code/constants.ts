/** The largest generated candidate, in bytes of its canonical JSON. A model's answer of 4096 tokens has fewer. */
export const generated_bytes_max = 65_536;
