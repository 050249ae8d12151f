/** A progress bar on standard error, on a terminal only; silent elsewhere. */
interface Progress {
  readonly update: (label: string, done: number) => void;
  readonly end: () => void;
}

const width = 30;
const silent: Progress = { update: () => undefined, end: () => undefined };

function progress(enabled: boolean): Progress {
  if (!enabled || !process.stderr.isTTY) return silent;
  let shown = '';
  return {
    update: (label, done) => {
      const share = Math.min(1, Math.max(0, done));
      const filled = Math.round(share * width);
      const line = `${label.padEnd(10)} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.round(share * 100)} %`;
      if (line !== shown) process.stderr.write(`\r${line}`);
      shown = line;
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
