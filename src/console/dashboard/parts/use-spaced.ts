/** Asking the server again when something happened: soon, and never too often, because it counts requests. */
import { useSoon } from '../../kit/load/use-load.js';

const delay_ms = 300;
const spacing_ms = 3_000;

export const useSpaced = (act: () => void): (() => void) => useSoon(act, delay_ms, spacing_ms);
