/**
 * Finds the terms of words-terms.mjs in texts that people read: string literals of the sources that hold a sentence or a label, and the prose of README,
 * docs and the open section of the change log. `node scripts/words.mjs` prints them and exits 1; `npm run lint` does the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { filesUnder, main, root } from './machine.mjs';
import { terms } from './words-terms.mjs';

/** Data in English, not texts of the program: a thesaurus, and the sources of the example missions. */
const isData = (path) => path.startsWith('src/engines/text/') || /^src\/kinds\/\w+\/example\.ts$/.test(path);
const french = /(?:^|\/)fr(?:\/|\.ts$)/;
const lineOf = (source, offset) => source.slice(0, offset).split('\n').length;
/** One word is an identifier unless it is a label of a page, which begins with a capital letter. */
const isText = (value) => /\s/.test(value.trim()) || /^\p{Lu}\p{Ll}+$/u.test(value.trim());

/** Returns the string literals and templates of a source file that people read, each with its line; a template's values are left out. */
export function textsOf(path, source) {
  const found = [];
  const add = (node, value, language) => isText(value) && found.push({ line: lineOf(source, node.start), text: value, language });
  const { program } = parseSync(path, source);
  const ranges = [];
  new Visitor({
    VariableDeclarator: (node) => node.id.type === 'Identifier' && node.id.name === 'fr' && ranges.push([node.start, node.end]),
  }).visit(program);
  const languageAt = ({ start, end }) =>
    french.test(path) || ranges.some(([from, to]) => from <= start && end <= to) ? 'fr' : 'en';
  const imports = new Set();
  new Visitor({
    ImportDeclaration: (node) => imports.add(node.source.start),
    Literal: (node) => {
      if (typeof node.value === 'string' && !imports.has(node.start)) add(node, node.value, languageAt(node));
    },
    TemplateLiteral: (node) => add(node, node.quasis.map(({ value }) => value.cooked).join('…'), languageAt(node)),
    JSXText: (node) => add(node, node.value, languageAt(node)),
  }).visit(program);
  return found;
}

const blank = (text) => text.replace(/[^\n]/g, ' ');

/** Returns the paragraphs of a Markdown page, without code, addresses of links and remarks. */
export function proseOf(source) {
  const bare = source
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank);
  const found = [];
  let offset = 0;
  for (const part of bare.split(/(\n\s*\n|\n(?=[|#*-]))/)) {
    if (part.trim() !== '')
      found.push({ line: lineOf(bare, offset + part.search(/\S/)), text: part.replace(/\s+/g, ' ').trim(), language: 'en' });
    offset += part.length;
  }
  return found;
}

/** Returns a complaint for each term in the texts. */
export function complaints(path, texts, table = terms) {
  return texts.flatMap(({ line, text, language }) =>
    table
      .filter((term) => term.language === language && term.pattern.test(text))
      .map(({ use, pattern }) => `${path}:${line}: "${pattern.exec(text)[0].trim()}" (use: ${use}): ${text.slice(0, 160)}`),
  );
}

/** The section of the change log that is still open; earlier versions stay as they were published. */
const openSection = (source) => source.split(/^## /m).slice(0, 2).join('## ');

/** Returns the complaints about every source file and page of the project, and how many texts were read. */
export function checkWords() {
  const sources = ['src', 'commands']
    .flatMap((folder) => filesUnder(folder))
    .filter((path) => /\.tsx?$/.test(path) && !isData(path));
  const scripts = ['start', 'machine', 'sandbox-image', 'verify-export'].map((name) => `scripts/${name}.mjs`);
  const pages = ['README.md', ...filesUnder('docs').filter((path) => path.endsWith('.md'))];
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const all = [
    ...[...sources, ...scripts].map((path) => [path, textsOf(path, read(path))]),
    ...pages.map((path) => [path, proseOf(read(path))]),
    ['CHANGELOG.md', proseOf(openSection(read('CHANGELOG.md')))],
  ];
  return {
    texts: all.reduce((sum, [, texts]) => sum + texts.length, 0),
    found: all.flatMap(([path, texts]) => complaints(path, texts)),
  };
}

/** Prints what checkWords finds and returns whether that is nothing. */
export function reportWords() {
  const { texts, found } = checkWords();
  for (const line of found) console.log(line);
  console.log(`${found.length} unwanted terms in ${texts} texts`);
  return found.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(() => (reportWords() ? 0 : 1));
