/** Units and currencies in cells and headers. */

const currencySigns = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['US$', 'USD'],
  ['£', 'GBP'],
]);

const knownUnits = new Set(
  (
    '% ‰ °c °f g kg mg t lb lbs oz to m mm cm km mi ft in m2 m² m3 m³ ha l ml hl gal kw mw gw kwh mwh gwh wh w kva v a j kj mj bar pa hpa psi hz ' +
    's sec min h hr hrs hour hours minute minutes d day days j jours heures stunden std minuten tage stk stück pcs pc piece pieces pièces unit units x ' +
    'kr zł kč ft chf fr. fr rs rs. tonnes tonne litres liters liter people points pts'
  ).split(' '),
);

/** A currency by its sign (`€`, `CA$`, `Fr.`) or its code of ISO 4217. */
const currency = /^(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|Fr|Rs|kr|zł|Kč)$/u;
const shape = /^[\p{L}\p{Sc}°µ%‰][\p{L}\p{N}\p{Sc}°²³/·.%]{0,14}(?: [\p{L}\p{Sc}][\p{L}\p{N}\p{Sc}²³/.%]{0,14})?$/u;

export interface Unit {
  /** The code of a currency that has a sign of its own, otherwise the text. */
  readonly name: string;
  /** False for a text that is a unit only when the whole column has it. */
  readonly known: boolean;
}

/** Returns the unit that a text before or after a number is; null for another text. */
export function unitOf(text: string): Unit | null {
  const name = text.replace(/\s+/g, ' ').trim();
  const code = currencySigns.get(name);
  if (code !== undefined) return { name: code, known: true };
  if (currency.test(name)) return { name, known: true };
  if (/^\/ ?(?:5|10|20|100)$/.test(name)) return { name: name.replace(' ', ''), known: true };
  if (!shape.test(name)) return null;
  return { name, known: isKnown(name) };
}

const isKnown = (name: string): boolean =>
  knownUnits.has(name.toLowerCase()) ||
  /^[kKMT]?\p{Sc}[kKM]?$|^[kKMT](?:EUR|USD|CHF|GBP)$/u.test(name) ||
  /^\S{1,8}\/\S{1,8}$/.test(name);

/** Returns whether a text may be a currency before a number. */
export const isCurrency = (text: string): boolean => currency.test(text.trim());

/** Returns a header that several columns have with the letter of one, which is no unit. */
export const lettered = (name: string, letter: string): string => `${name} (column ${letter})`;

export const withoutLetter = (name: string): string => name.replace(/ \(column [A-Z]+\)$/, '');

/** Returns the text in the parentheses or brackets at the end of a header, or null. */
export const inParentheses = (name: string): string | null =>
  /[([](?:in |en )?(?<inner>[^()[\]]{1,20})[)\]]\s*$/i.exec(withoutLetter(name))?.groups?.['inner'] ?? null;

/** The unit within a header such as `Load [MWh] hourly`. */
const inBrackets = /\[(?<unit>[^[\]]{1,20})\]/;
/** The end of a header such as `Kosten in €` and `Durée en heures`. */
const lastWord = /\s+(?:in|en) (?<unit>\S{1,12})\s*$/i;

/** Returns the unit of a header, in brackets, or at its end in parentheses or after a word, or null. */
export function unitOfHeader(name: string): string | null {
  const inner = inParentheses(name) ?? (inBrackets.exec(name) ?? lastWord.exec(withoutLetter(name)))?.groups?.['unit'] ?? null;
  const unit = inner === null ? null : unitOf(inner);
  return unit?.known === true ? unit.name : null;
}

/** Returns a header without a unit, a scale such as `/20`, or another remark in parentheses, at its end. */
export const withoutUnit = (header: string): string => {
  const name = withoutLetter(header);
  return (unitOfHeader(name) === null ? name : name.replace(lastWord, '')).replace(/\s*(?:[([][^()[\]]*[)\]]|\/ ?\d+)\s*$/, '');
};
