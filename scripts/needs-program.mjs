/** Tells which test files need the built program: those that name it, and those that load a module that does. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './machine.mjs';

/** The command line, what the build writes beside the modules, and the scripts that pack it. */
const named = /\bagent-cli\.js\b|["'`/]dist["'`/]|["'`/]scripts["'`/]|\boclif\.manifest\b/;
/** Of the program's own modules, those that serve the built pages. */
const served = /"dist"/;
const imported = /(?:\bfrom |\bimport |\bimport\(|\bnew URL\()"(\.{1,2}\/[^"]+\.js)"/g;

/** Returns the text of the modules of dist that compiled modules load, themselves included. */
function loadedBy(entries) {
  const texts = new Map();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (texts.has(path) || !existsSync(join(root, path))) continue;
    const text = readFileSync(join(root, path), 'utf8');
    texts.set(path, text);
    for (const [, name] of text.matchAll(imported)) open.push(posix.join(posix.dirname(path), name));
  }
  return texts;
}

/** Code without its comments, of which only whole lines are left out. */
const withoutComments = (text) => text.replace(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, '');

/** The scripts that these run read sources and probe the machine. */
const plain = new Set(['dist/test/support/real.js', 'dist/test/support/layers.js']);

/** Returns the first module that makes compiled test files need the program, or undefined. */
export const needsProgram = (files) =>
  [...loadedBy(files)].find(([path, text]) => {
    const pattern = path.startsWith('dist/test/') ? named : served;
    return !plain.has(path) && pattern.test(withoutComments(text));
  })?.[0];
