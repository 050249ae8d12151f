/**
 * Writes docs/verify-export.html: the core of scripts/verify-export.mjs, word for word, how texts are shown (src/base/shown.ts, without its
 * types), how a report is made of its export (src/reports, compiled), and the page of scripts/verify-page/ around them, in one file that may load nothing: its policy names the hashes of its one script and its one style.
 *
 *   node scripts/verify-page.mjs            writes the page
 *   node scripts/verify-page.mjs --check    fails when the page is not what would be written
 *   node scripts/verify-page.mjs --core     prints the core
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { transformSync } from 'rolldown/utils';
import { main, root, Stop } from './machine.mjs';

const file = join(root, 'docs', 'verify-export.html');
const part = (name) => readFileSync(join(root, 'scripts', name), 'utf8');

/** Returns the text between the script's two rules. */
function coreText() {
  const core = /^\/\/ ---- core.*\n([^]*)\n\/\/ ---- command line\n/m.exec(part('verify-export.mjs'))?.[1];
  if (core === undefined) throw new Stop('verify-export.mjs has no core between its two rules');
  return core;
}

/** Returns a module without its imports and exports: in the page all parts share one scope. */
const bareText = (text) => text.replace(/^import .*\n/gm, '').replace(/^export /gm, '');
const bare = (name) => bareText(part(name));

/** Returns what shows texts in the program's pages, as JavaScript in a scope of its own. */
function shownModule() {
  const path = join(root, 'src', 'base', 'shown.ts');
  const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    target: 'es2023',
    sourcemap: false,
    tsconfig: false,
  });
  if (errors.length > 0) throw new Stop(`${path} cannot be compiled`);
  return `const { shownOf } = (() => {\n${bareText(code)}\nreturn { shownOf };\n})();`;
}

/** Returns what makes reports, as JavaScript in a scope of its own. */
async function reportsModule() {
  const bundle = await rolldown({ input: join(root, 'scripts', 'verify-page', 'reports.ts'), platform: 'browser', cwd: root });
  const { output } = await bundle.generate({ format: 'iife', name: 'reports', minify: true, comments: false });
  return output[0].code.replace(/<\/(script|style)/gi, '<\\/$1');
}
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function pageText() {
  const parts = [
    "'use strict';",
    coreText(),
    shownModule(),
    await reportsModule(),
    bare('verify-page/texts.js'),
    bare('verify-page/page.js'),
  ];
  const script = `\n${parts.map((text) => text.trim()).join('\n\n')}\n`;
  const style = `\n${part('verify-page/page.css').trim()}\n`;
  if (/<\/(?:script|style)|<!--/i.test(script + style)) throw new Stop('the script or the style would end early');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const filled = { policy, style, script };
  return part('verify-page/page.html').replace(/\{\{(\w+)\}\}/g, (_, name) => filled[name]);
}

await main(async () => {
  const [action] = process.argv.slice(2);
  const page = await pageText();
  if (action === '--core') console.log(coreText());
  else if (action !== '--check') writeFileSync(file, page);
  else if (readFileSync(file, 'utf8') !== page)
    throw new Stop('docs/verify-export.html is not current: run this without --check');
});
