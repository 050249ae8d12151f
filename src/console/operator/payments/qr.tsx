/** A text as a QR code: dark modules on a light ground in every theme, as cameras expect it. */
import { useEffect, useState } from 'preact/hooks';
import { ProblemBox } from '../../kit/controls/problem.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useWords } from '../text/words.js';

/** Modules of light ground on each side (ISO/IEC 18004). */
const quiet = 4;

interface Drawn {
  readonly size: number;
  /** A square for each dark module. */
  readonly path: string;
}

/** The library loads with the first code that is shown. */
async function draw(text: string): Promise<Drawn> {
  const { default: qrcode } = await import('qrcode');
  const { size, data } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules;
  const dark = Array.from(data, (module, i) =>
    module === 0 ? '' : `M${(i % size) + quiet} ${Math.floor(i / size) + quiet}h1v1h-1z`,
  );
  return { size: size + 2 * quiet, path: dark.join('') };
}

export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useWords();
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let isWanted = true;
    draw(text).then(
      (done) => isWanted && setDrawn(done),
      (error: unknown) => isWanted && setProblem(asProblem(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (problem !== null) return <ProblemBox title={t.failed.qr} problem={problem} />;
  if (drawn === null) return <div class="qr" />;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${drawn.size} ${drawn.size}`} shape-rendering="crispEdges">
      <rect class="qr-ground" width={drawn.size} height={drawn.size} />
      <path class="qr-dark" d={drawn.path} />
    </svg>
  );
}
