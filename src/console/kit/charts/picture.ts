/**
 * A figure of the page as an SVG that looks the same by itself: its title, charts and legend where the page puts them, with every style written
 * as an attribute. Parts marked `data-screen-only` are left out.
 */
import { shownText } from '../../../base/shown.js';

const svg_namespace = 'http://www.w3.org/2000/svg';
const margin_pixels = 16;
/** Pixels of a PNG for each of the page. */
const png_scale = 2;
/** Browsers draw no canvas that is longer. */
const canvas_pixels_max = 16_000;

export type SavedPicture = { readonly text: string; readonly width: number; readonly height: number };

const make = (name: string, attributes: Readonly<Record<string, string | number>>): Element => {
  const element = document.createElementNS(svg_namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
};

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** A picture under way: what was drawn so far, and how far it reaches. */
class Drawing {
  readonly parts: Element[] = [];
  bottom = 0;

  constructor(
    private readonly origin: DOMRect,
    private readonly gaps: readonly DOMRect[],
  ) {}

  x = (value: number): number => tenth(value - this.origin.left + margin_pixels);

  /** What is below a part that is left out moves up into its place. */
  y(value: number): number {
    const closed = this.gaps.reduce((sum, { bottom, height }) => (bottom <= value + 0.5 ? sum + height : sum), 0);
    return tenth(value - this.origin.top + margin_pixels - closed);
  }

  add(part: Element, bottom: number): void {
    this.parts.push(part);
    this.bottom = Math.max(this.bottom, this.y(bottom));
  }
}

export function pictureOf(figure: HTMLElement, title: string): SavedPicture {
  const box = figure.getBoundingClientRect();
  const drawing = new Drawing(box, gapsOf(figure));
  draw(figure, drawing);
  const [width, height] = [Math.ceil(box.width + 2 * margin_pixels), Math.ceil(drawing.bottom + margin_pixels)];
  const root = make('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': shownText(title) });
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  root.append(make('rect', { width, height, fill: plainColour(ground).colour }), ...drawing.parts);
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** Returns the places of the parts that are left out and have a line of their own. */
const gapsOf = (figure: HTMLElement): DOMRect[] =>
  [...figure.querySelectorAll<HTMLElement>('div[data-screen-only]')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    const before = element.previousElementSibling?.getBoundingClientRect();
    return before !== undefined && before.bottom > box.top + 0.5 ? [] : [box];
  });

/** Returns a picture as PNG, or null where the browser cannot draw it. */
export async function pngOf({ text, width, height }: SavedPicture): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(png_scale, canvas_pixels_max / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

const isLeftOut = (element: Element, { display, visibility }: CSSStyleDeclaration): boolean =>
  display === 'none' ||
  visibility === 'hidden' ||
  element instanceof HTMLDetailsElement ||
  element.matches('[data-screen-only], .sr-only');

function draw(element: Element, drawing: Drawing): void {
  const style = getComputedStyle(element);
  if (isLeftOut(element, style)) return;
  const box = element.getBoundingClientRect();
  if (element instanceof SVGSVGElement) {
    const copy = copyOf(element, null);
    copy?.setAttribute('x', String(drawing.x(box.left)));
    copy?.setAttribute('y', String(drawing.y(box.top)));
    if (copy !== null) drawing.add(copy, box.bottom);
    return;
  }
  if (!(element instanceof HTMLButtonElement)) drawBox(style, box, drawing);
  drawMarker(element, box, drawing);
  for (const child of element.childNodes) {
    if (child instanceof Element) draw(child, drawing);
    else if (child instanceof Text) drawText(child, style, drawing);
  }
}

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** Draws the ground and the border of a box; a box without height is a line. */
function drawBox(style: CSSStyleDeclaration, { left, top, width, height }: Box, drawing: Drawing): void {
  const ground = plainColour(style.backgroundColor);
  const border = Number.parseFloat(style.borderTopWidth) || 0;
  if (width === 0 || (ground.alpha === 0 && border === 0)) return;
  const edge = plainColour(style.borderTopColor);
  const line = {
    stroke: border === 0 ? 'none' : edge.colour,
    'stroke-width': border,
    ...(style.borderTopStyle === 'dashed' ? { 'stroke-dasharray': '5 3' } : {}),
  };
  const [x, y] = [drawing.x(left), drawing.y(top)];
  if (height <= border) {
    drawing.add(make('line', { x1: x, x2: x + tenth(width), y1: y, y2: y, ...line }), top);
    return;
  }
  const radius = style.borderTopLeftRadius;
  const round = radius.endsWith('%') ? (Math.min(width, height) * Number.parseFloat(radius)) / 100 : Number.parseFloat(radius);
  const inner = { width: tenth(width - border), height: tenth(height - border), rx: tenth(round) };
  const fill = { fill: ground.colour, 'fill-opacity': ground.alpha };
  drawing.add(make('rect', { x: x + border / 2, y: y + border / 2, ...inner, ...fill, ...line }), top + height);
}

/** Draws the sign in front of a word of the legend, which the style sheet makes: it is in the middle of the word's first line. */
function drawMarker(element: Element, box: DOMRect, drawing: Drawing): void {
  const style = getComputedStyle(element, '::before');
  if (style.content === 'none' || style.content === 'normal') return;
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)];
  const top = box.top + (box.height - height) / 2;
  drawBox(style, { left: box.left, top, width, height }, drawing);
}

/** Draws a text line by line, as the page breaks it. */
function drawText(node: Text, style: CSSStyleDeclaration, drawing: Drawing): void {
  const lines: { words: string; readonly left: number; readonly top: number; readonly height: number }[] = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+\s*/g)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.trimEnd().length);
    const { left, top, height, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line.top - top) < height / 2) line.words += word;
    else lines.push({ words: word, left, top, height });
  }
  for (const { words, left, top, height } of lines) {
    const { colour, alpha } = plainColour(style.color);
    const text = make('text', {
      x: drawing.x(left),
      y: drawing.y(top + height / 2),
      dy: '0.35em',
      fill: colour,
      'fill-opacity': alpha,
      'font-family': style.fontFamily,
      'font-size': Number.parseFloat(style.fontSize),
      'font-weight': style.fontWeight,
    });
    text.textContent = words.trimEnd();
    drawing.add(text, top + height);
  }
}

/** Returns a copy of a chart's element with its styles as attributes, or null for what is not drawn. */
function copyOf(element: Element, parent: CSSStyleDeclaration | null): Element | null {
  const style = getComputedStyle(element);
  if (style.display === 'none' || element.matches('[data-screen-only]')) return null;
  const copy = element.cloneNode(false) as Element;
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  for (const [name, initial] of Object.entries(inheritedStyles)) {
    const value = style.getPropertyValue(name);
    if (value === (parent === null ? initial : parent.getPropertyValue(name))) continue;
    for (const [attribute, text] of attributesOf(name, value)) copy.setAttribute(attribute, text);
  }
  if (style.opacity !== '1') copy.setAttribute('opacity', style.opacity);
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      const inner = copyOf(child, style);
      if (inner !== null) copy.append(inner);
    } else if (child instanceof Text) copy.append(child.data);
  }
  return copy;
}

// Styles as attributes that every viewer of SVG knows: a picture that leaves the page has no style sheet.

const numbersIn = (text: string): number[] => (text.match(/-?\d*\.?\d+(?:e[-+]?\d+)?%?/gi) ?? []).map(shareOf);
const shareOf = (text: string): number => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text));

/**
 * Returns a computed colour without its transparency, `rgb(…)` or a word such as `none`, and the transparency: many viewers know neither
 * `rgba()` nor `color()`.
 */
export function plainColour(value: string) {
  const text = value.trim();
  if (text === 'transparent') return { colour: 'none', alpha: 0 };
  const [, name = '', inner = ''] = /^(rgba?|color)\((.*)\)$/s.exec(text) ?? [];
  if (name === '' || (name === 'color' && !inner.startsWith('srgb '))) return { colour: text, alpha: 1 };
  const [r = 0, g = 0, b = 0, alpha = 1] = numbersIn(inner.replace(/^srgb /, ''));
  const scale = name === 'color' ? 255 : 1;
  const byte = (share: number): number => Math.round(Math.min(255, Math.max(0, share * scale)));
  return { colour: `rgb(${byte(r)},${byte(g)},${byte(b)})`, alpha };
}

/** Presentation attributes that elements within inherit, with their values where nothing says otherwise. */
const inheritedStyles: Readonly<Record<string, string>> = {
  fill: 'rgb(0, 0, 0)',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-opacity': '1',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linejoin': 'miter',
  'font-family': '',
  'font-size': '',
  'font-weight': '400',
  'text-anchor': 'start',
  'shape-rendering': 'auto',
};

/** Returns the attributes of one style. */
export function attributesOf(name: string, value: string): readonly (readonly [name: string, value: string])[] {
  if (name !== 'fill' && name !== 'stroke') return [[name, value.replace(/px\b/g, '')]];
  const { colour, alpha } = plainColour(value);
  return alpha === 1
    ? [[name, colour]]
    : [
        [name, colour],
        [`${name}-opacity`, String(alpha)],
      ];
}
