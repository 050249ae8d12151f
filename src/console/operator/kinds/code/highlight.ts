/** Splits source code into the parts that are coloured. It is a reading aid: what it does not know stays plain. */

export type Part = 'plain' | 'comment' | 'text' | 'number' | 'word';
export type Token = { readonly part: Part; readonly text: string };

const words = {
  python:
    'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield',
  javascript:
    'async await break case catch class const continue debugger default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield',
};
const number = String.raw`\b(?:0[xXoObB][\da-fA-F_]+n?|\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?n?)\b`;
const quoted = (quote: string): string => String.raw`${quote}(?:\\[^]|[^\\\n${quote}])*${quote}?`;

const pattern = (comment: string, text: string, keywords: string): RegExp =>
  new RegExp(
    `(?<comment>${comment})|(?<text>${text})|(?<number>${number})|(?<word>\\b(?:${keywords.replaceAll(' ', '|')})\\b)`,
    'g',
  );

const patterns: Readonly<Record<string, RegExp>> = {
  python: pattern('#[^\\n]*', `"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted('"')}|${quoted("'")}`, words.python),
  javascript: pattern(
    String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`,
    `${quoted('"')}|${quoted("'")}|` + String.raw`\x60(?:\\[^]|[^\\\x60])*\x60?`,
    words.javascript,
  ),
};

/** Returns the tokens of each line. The texts of all of them, joined by line feeds, are the code. */
export function highlighted(language: string, code: string): Token[][] {
  const lines: Token[][] = [[]];
  for (const { part, text } of tokensOf(language, code)) {
    for (const [i, piece] of text.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ part, text: piece });
    }
  }
  return lines;
}

function tokensOf(language: string, code: string): Token[] {
  const known = Object.hasOwn(patterns, language) ? patterns[language] : undefined;
  if (known === undefined) return [{ part: 'plain', text: code }];
  const tokens: Token[] = [];
  let at = 0;
  for (const found of code.matchAll(known)) {
    if (found.index > at) tokens.push({ part: 'plain', text: code.slice(at, found.index) });
    const [part = 'plain'] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    tokens.push({ part: part as Part, text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < code.length) tokens.push({ part: 'plain', text: code.slice(at) });
  return tokens;
}
