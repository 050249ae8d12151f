/** Styles of the page as attributes that every viewer of SVG knows: a picture that leaves the page has no style sheet. */

export interface PlainColour {
  /** `rgb(…)` or a word such as `none`. */
  readonly colour: string;
  readonly alpha: number;
}

const numbersIn = (text: string): number[] => (text.match(/-?\d*\.?\d+(?:e[-+]?\d+)?%?/gi) ?? []).map(shareOf);
const shareOf = (text: string): number => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text));

/** Returns a computed colour without its transparency, and the transparency: many viewers know neither `rgba()` nor `color()`. */
export function plainColour(value: string): PlainColour {
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
export const inheritedStyles: Readonly<Record<string, string>> = {
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
