/** A progress bar on standard error, on a terminal only, with the time that is expected to remain; silent elsewhere. */
import { remainingSeconds, type Mark } from '../base/remaining.js';

interface Progress {
  readonly update: (label: string, done: number) => void;
  readonly end: () => void;
}

const width = 30;
const silent: Progress = { update: () => undefined, end: () => undefined };

function progress(enabled: boolean): Progress {
  if (!enabled || !process.stderr.isTTY) return silent;
  let shown = '';
  let stage: { readonly label: string; readonly first: Mark } | null = null;
  const show = (line: string): void => {
    if (line !== shown) process.stderr.write(`\r${line}${' '.repeat(Math.max(0, shown.length - line.length))}`);
    shown = line;
  };
  return {
    update: (label, done) => {
      const share = Math.min(1, Math.max(0, done));
      const now = { at: performance.now(), done: share };
      if (stage?.label !== label) stage = { label, first: now };
      const left = remainingSeconds(stage.first, now);
      const filled = Math.round(share * width);
      const remains = left === null ? '' : `, about ${left} s left`;
      show(`${label.padEnd(10)} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.round(share * 100)} %${remains}`);
    },
    end: () => {
      if (shown !== '') process.stderr.write(`\r${' '.repeat(shown.length)}\r`);
      shown = '';
    },
  };
}

/** Shows a bar while `use` works, and removes it whatever happens. */
export async function withProgress<A>(enabled: boolean, use: (update: Progress['update']) => Promise<A> | A): Promise<A> {
  const bar = progress(enabled);
  try {
    return await use(bar.update);
  } finally {
    bar.end();
  }
}
