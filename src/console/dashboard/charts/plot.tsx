/** A picture drawn by uPlot on a canvas: as wide as there is room, in the page's colours, and drawn again when they change. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { useWidth } from '../../kit/charts/use-width.js';

/** The page's colours, as the canvas wants them. */
export interface Ink {
  readonly text: string;
  readonly grid: string;
  readonly accent: string;
  readonly bad: string;
  readonly surface: string;
  /** For bands; a canvas takes `#rrggbbaa`. */
  readonly band: string;
  readonly lines: readonly string[];
}

/** How many lines can be told apart: each has its colour and its dashes. */
export const lines_max = 8;

function inkOf(): Ink {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: of('--ink-2'),
    grid: of('--line'),
    accent: of('--accent'),
    bad: of('--bad'),
    surface: of('--bg'),
    band: of('--band'),
    lines: Array.from({ length: lines_max }, (_, i) => of(`--l${i}`)),
  };
}

/** Changes with the colours of the page. */
function useInk(): Ink {
  const [ink, setInk] = useState(inkOf);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const read = (): void => setInk(inkOf());
    dark.addEventListener('change', read);
    return () => dark.removeEventListener('change', read);
  }, []);
  return ink;
}

export type Settings = Omit<uPlot.Options, 'width' | 'height' | 'title'>;

interface PlotProps {
  /** What the picture shows, for who does not see it. */
  readonly alt: string;
  readonly height: (width: number) => number;
  /** Made again when `key` or the colours change. */
  readonly settings: (ink: Ink, width: number) => Settings;
  readonly settingsKey: string;
  readonly data: uPlot.AlignedData;
  /** The place in the data that is pointed at. */
  readonly at: number;
  readonly point: (at: number) => void;
}

export function Plot({ alt, height, settings, settingsKey, data, at, point }: PlotProps) {
  const [room, width] = useWidth<HTMLDivElement>();
  const holder = useRef<HTMLDivElement>(null);
  const plot = usePlot(holder, { alt, height, settings, settingsKey, data, at, point, width });
  useEffect(() => {
    const now = plot.current;
    if (now !== null) pointTo(now, at);
  }, [at]);
  return (
    <div ref={room} class="chart-room plot">
      <div ref={holder} role="img" aria-label={alt} />
    </div>
  );
}

function usePlot(
  holder: RefObject<HTMLDivElement | null>,
  props: PlotProps & { readonly width: number },
): RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(props);
  newest.current = props;
  const ink = useInk();
  const { width, data, settingsKey } = props;
  const narrow = width < narrow_pixels;
  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null || width === 0) return undefined;
    const { settings, height } = newest.current;
    const pointing = { point: (at: number) => newest.current.point(at), at: () => newest.current.at };
    const options = { ...withPointing(settings(ink, width), pointing), width, height: height(width) };
    const made = new uPlot(options, newest.current.data);
    element.append(made.root);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [ink, settingsKey, width === 0, narrow]);
  useLayoutEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: newest.current.height(width) });
  }, [width]);
  useEffect(() => {
    if (plot.current !== null && plot.current.data !== data) plot.current.setData(data);
  }, [data]);
  return plot;
}

/** A narrow picture has other axes. */
export const narrow_pixels = 480;

interface Pointing {
  readonly point: (at: number) => void;
  readonly at: () => number;
}

/** The pointer chooses a place, which stays chosen when the pointer leaves. */
function withPointing(settings: Settings, { point, at }: Pointing): Settings {
  const pointed = (u: uPlot): void => {
    const { idx, event } = u.cursor;
    if (typeof idx !== 'number') queueMicrotask(() => pointTo(u, at()));
    else if (event !== undefined) point(idx);
  };
  return {
    ...settings,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, ...settings.cursor },
    hooks: { ...settings.hooks, ready: [(u) => pointTo(u, at())], setCursor: [pointed] },
  };
}

function pointTo(plot: uPlot, at: number): void {
  const x = plot.data[0][at];
  if (x === undefined || !plot.root.isConnected) return;
  plot.setCursor({ left: plot.valToPos(x, 'x'), top: 1 }, false);
}

export const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** An axis of numbers in the reader's way. */
export const axisOf = (ink: Ink, print: (value: number) => string, more: Partial<uPlot.Axis> = {}): uPlot.Axis => ({
  stroke: ink.text,
  font,
  labelFont: font,
  labelSize: 20,
  grid: { stroke: ink.grid, width: 1 },
  ticks: { stroke: ink.grid, width: 1, size: 5 },
  values: (_, splits) => splits.map((value: number | null) => (value === null ? '' : print(value))),
  ...more,
});

/** Years are whole. */
export const yearAxis = (ink: Ink, print: (value: number) => string, label: string): uPlot.Axis =>
  axisOf(ink, print, { label, incrs: [1, 2, 5, 10, 20, 50, 100], space: 46, size: 34, grid: { show: false } });
