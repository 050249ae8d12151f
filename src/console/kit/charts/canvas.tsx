/**
 * A layer of a chart that is drawn on a canvas. It takes ten thousand points at once, where as many SVG elements would make the page slow;
 * the axes and what is pointed at stay SVG.
 */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface CanvasProps {
  readonly width: number;
  readonly height: number;
  /** Draws in pixels of the page. It is called again when it is another function, or when the size or the theme changes. */
  readonly draw: (context: CanvasRenderingContext2D, colour: (name: string) => string) => void;
}

export function Canvas({ width, height, draw }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const ratio = globalThis.devicePixelRatio;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null;
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(context.canvas);
    draw(context, (name) => style.getPropertyValue(name).trim());
  }, [draw, width, height, theme, ratio]);
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={Math.round(width * ratio)}
      height={Math.round(height * ratio)}
      style={{ width: `${width}px`, height: `${height}px` }}
    />
  );
}

const dark = '(prefers-color-scheme: dark)';

/** Counts the changes of the theme: a canvas does not follow them by itself. */
function useTheme(): number {
  const [count, changed] = useReducer((n: number) => n + 1, 0);
  useLayoutEffect(() => {
    const media = matchMedia(dark);
    const tell = (): void => changed(undefined);
    media.addEventListener('change', tell);
    return () => media.removeEventListener('change', tell);
  }, []);
  return count;
}
