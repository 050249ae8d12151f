/** A small scanner of TypeScript text: tells code from comments, strings, templates and regular expressions. */

export interface Scanned {
  /** Comments blanked, everything else as written; same length as the text. */
  readonly text: string;
  /** Comments and the contents of strings and templates blanked; regular expressions as written. */
  readonly code: string;
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

const regexAllowedAfter =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|throw|await|yield|delete|void|new))\s*$/;
const regexLiteral = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const quotedString = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y;
const comment = /\/\/[^\n]*|\/\*[^]*?\*\//y;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

export function scan(source: string): Scanned {
  let text = '';
  let code = '';
  const open: ('{' | '${')[] = [];
  const keep = (piece: string): void => {
    text += piece;
    code += piece;
  };
  /** Copies template characters from `at` up to the closing backtick or the next `${`; answers where to go on. */
  const template = (at: number): number => {
    let end = at;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end)) end += source[end] === '\\' ? 2 : 1;
    text += source.slice(at, end);
    code += blank(source.slice(at, end));
    if (source[end] === '`') {
      keep('`');
      return end + 1;
    }
    keep('${');
    open.push('${');
    return end + 2;
  };
  for (let at = 0; at < source.length; ) {
    const c = source.charAt(at);
    const remark = matchAt(comment, source, at);
    const string = matchAt(quotedString, source, at);
    const regex = c === '/' && regexAllowedAfter.test(code.slice(-60)) ? matchAt(regexLiteral, source, at) : undefined;
    if (remark !== undefined) {
      keep(blank(remark));
      at += remark.length;
    } else if (string !== undefined) {
      text += string;
      code += `${c}${blank(string.slice(1, -1))}${c}`;
      at += string.length;
    } else if (regex !== undefined) {
      keep(regex);
      at += regex.length;
    } else if (c === '`') {
      keep(c);
      at = template(at + 1);
    } else {
      keep(c);
      if (c === '{') open.push('{');
      at = c === '}' && open.pop() === '${' ? template(at + 1) : at + 1;
    }
  }
  return { text, code };
}

export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const importForms = [
  /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/g,
  /\bimport\s*(['"])(.+?)\1/g,
  /\bimport\s*\(\s*(['"])(.+?)\1\s*\)/g,
  /\bnew\s+URL\s*\(\s*(['"])(\.{1,2}\/.+?)\1\s*,\s*import\.meta\.url/g,
];

/** Every module that a file names: static, type-only, re-exported, dynamic, and files for worker threads. */
export function importsOf({ text, code }: Scanned): readonly Import[] {
  return importForms.flatMap((form) =>
    [...text.matchAll(form)]
      .filter((found) => /^(?:import|export|new)/.test(code.slice(found.index)))
      .map((found) => ({ specifier: found[2] ?? '', line: lineOf(text, found.index) })),
  );
}
