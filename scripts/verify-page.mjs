/**
 * Writes the checkers of approvals (src/base, without their types) into scripts/verify-export.mjs, and docs/verify-export.html: the core of scripts/verify-export.mjs, word for word, how texts are shown (src/base/shown.ts, without its
 * types), how a report is made of its export (src/reports, compiled), and the page of scripts/verify-page/ around them, in one file that may load nothing: its policy names the hashes of its one script and its one style.
 *
 *   node scripts/verify-page.mjs            writes both
 *   node scripts/verify-page.mjs --check    fails when one of them is not what would be written
 *   node scripts/verify-page.mjs --core     prints the core
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { transformSync } from 'rolldown/utils';
import { main, root, Stop } from './machine.mjs';

const file = join(root, 'docs', 'verify-export.html');
const part = (name) => readFileSync(join(root, 'scripts', name), 'utf8');

/** Returns the text between the script's two rules. */
function coreText(script = part('verify-export.mjs')) {
  const core = /^\/\/ ---- core.*\n([^]*)\n\/\/ ---- command line\n/m.exec(script)?.[1];
  if (core === undefined) throw new Stop('verify-export.mjs has no core between its two rules');
  return core;
}

/** Returns a module without its imports and exports: in the page all parts share one scope. */
const bareText = (text) => text.replace(/^import .*\n/gm, '').replace(/^export /gm, '');
const bare = (name) => bareText(part(name));

/** Returns modules of src/base as JavaScript in a scope of their own, of which some names are known outside. */
function baseModules(modules, names) {
  const texts = modules.map((name) => {
    const path = join(root, 'src', 'base', `${name}.ts`);
    const options = { target: 'es2023', sourcemap: false, tsconfig: false };
    const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), options);
    if (errors.length > 0) throw new Stop(`${path} cannot be compiled`);
    return bareText(code);
  });
  return `const { ${names.join(', ')} } = (() => {\n${texts.join('\n')}\nreturn { ${names.join(', ')} };\n})();`;
}

const approvalModules = ['web-crypto', 'ssh-signature', 'passkey', 'approval', 'approval-evidence'];
const approvalNames = ['checkApprovals', 'checkApprovers', 'leftOutText', 'readKey', 'unsignedText', 'verifiesEd25519'];

/** Returns the script with the checkers of approvals as they are in src/base now. */
function scriptText() {
  const text = part('verify-export.mjs');
  const [rule] = /^\/\/ ---- approvals.*\n/m.exec(text) ?? [];
  const [start, end] = [text.indexOf(rule), text.indexOf('// ---- end of approvals\n')];
  if (rule === undefined || end < 0) throw new Stop('verify-export.mjs has no place for the checkers of approvals');
  const input = text.slice(0, start) + rule + baseModules(approvalModules, approvalNames) + '\n' + text.slice(end);
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'format', '--stdin-file-path=scripts/verify-export.mjs'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', input });
  if (status !== 0) throw new Stop(stderr);
  return stdout;
}

/** Returns what makes reports, as JavaScript in a scope of its own. */
async function reportsModule() {
  const bundle = await rolldown({ input: join(root, 'scripts', 'verify-page', 'reports.ts'), platform: 'browser', cwd: root });
  const { output } = await bundle.generate({ format: 'iife', name: 'reports', minify: true, comments: false });
  return output[0].code.replace(/<\/(script|style)/gi, '<\\/$1');
}
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function pageText(core) {
  const parts = [
    "'use strict';",
    core,
    baseModules(['shown'], ['shownOf']),
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
  const checked = scriptText();
  const page = await pageText(coreText(checked));
  if (action === '--core') console.log(coreText());
  else if (action !== '--check') {
    writeFileSync(join(root, 'scripts', 'verify-export.mjs'), checked);
    writeFileSync(file, page);
  } else if (part('verify-export.mjs') !== checked || readFileSync(file, 'utf8') !== page)
    throw new Stop('scripts/verify-export.mjs or docs/verify-export.html is not current: run this without --check');
});
