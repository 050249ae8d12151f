/**
 * Checks the sources against scripts/layer-rules.mjs: which module imports which, cycles between folders, and what the pure
 * modules must not use. `check` works on texts, so that its own tests need no files.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { acyclic, modules } from './layer-rules.mjs';
import { filesUnder, root } from './machine.mjs';

/** The functions of Math whose results the standard fixes to the bit (ECMA-262 leaves the others to the implementation). */
const exactMath = new Set(['abs', 'min', 'max', 'floor', 'ceil', 'round', 'trunc', 'sign', 'imul', 'clz32', 'fround', 'sqrt']);
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']);
const unicodeMethods = new Set(['toLowerCase', 'toUpperCase', 'localeCompare', 'normalize']);

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : null);
const memberOf = (node) => (node.computed ? null : nameOf(node.property));

/** Reports what no module may do: re-export, or import a module whose name is not in the text. */
function generalVisitor(say) {
  return {
    ExportAllDeclaration: (node) => say(node, 'has a re-export'),
    ExportNamedDeclaration: (node) => node.source === null || say(node, 'has a re-export'),
    ImportExpression: (node) => node.source.type === 'Literal' || say(node, 'imports a module whose name is not in the text'),
  };
}

/** Returns what a node uses of the clock, randomness, timers, the locale and the process, by their global names, or null. */
function impurity(node) {
  if (node.type === 'Identifier') {
    if (timers.has(node.name)) return 'a timer';
    return node.name === 'Intl' ? 'the locale' : null;
  }
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'Date' && node.arguments.length === 0 ? 'the clock' : null;
  const [object, member] = [nameOf(node.object), memberOf(node)];
  if (object === 'performance' || (object === 'Date' && member === 'now')) return 'the clock';
  if (object === 'crypto' || (object === 'Math' && member === 'random')) return 'randomness';
  if (object === 'process') return 'the process';
  return member?.startsWith('toLocale') === true ? 'the locale' : null;
}

/** Returns what differs between machines in a node: most of Math, `**`, and texts that depend on the Unicode version; or null. */
function inexactness(node) {
  if (node.type === 'BinaryExpression' || node.type === 'AssignmentExpression')
    return node.operator.startsWith('**') ? 'the ** operator, which is not exact' : null;
  if (node.type === 'Literal')
    return /\\p\{/iu.test(node.regex?.pattern ?? '') ? 'a pattern that follows the Unicode version' : null;
  if (node.type === 'VariableDeclarator') return nameOf(node.init) === 'Math' ? 'Math that is not exact' : null;
  const member = memberOf(node);
  if (nameOf(node.object) === 'Math') return exactMath.has(member) ? null : 'Math that is not exact';
  return unicodeMethods.has(member) ? 'a text rule that follows the Unicode version' : null;
}

function visitorOf(module, say) {
  const visitor = generalVisitor(say);
  const on = (types, judge) => {
    for (const type of types) {
      const before = visitor[type];
      visitor[type] = (node) => {
        before?.(node);
        const what = judge(node);
        if (what !== null) say(node, `uses ${what}`);
      };
    }
  };
  if (module.pure === true) on(['Identifier', 'NewExpression', 'MemberExpression'], impurity);
  if (module.exact === true)
    on(['BinaryExpression', 'AssignmentExpression', 'Literal', 'VariableDeclarator', 'MemberExpression'], inexactness);
  return visitor;
}

/** `new URL('./worker.js', import.meta.url)` names a module too. */
const workerPattern = /new URL\(\s*['"](\.{1,2}\/[^'"]+\.js)['"]\s*,\s*import\.meta\.url/g;

/** Returns the specifiers of a parsed file with their offsets. */
function importsOf({ module }, source) {
  const literal = ({ start, end }) => source.slice(start + 1, end - 1);
  return [
    ...module.staticImports.map(({ moduleRequest }) => ({ specifier: moduleRequest.value, at: moduleRequest.start })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) =>
        moduleRequest === null ? [] : [{ specifier: moduleRequest.value, at: moduleRequest.start }],
      ),
    ),
    ...module.dynamicImports
      .filter(({ moduleRequest: { start } }) => /['"]/.test(source[start]))
      .map(({ moduleRequest }) => ({ specifier: literal(moduleRequest), at: moduleRequest.start })),
    ...[...source.matchAll(workerPattern)].map((found) => ({ specifier: found[1], at: found.index })),
  ];
}

/** Returns whether a name in a rule fits a module: `*` fits any text, including one with slashes. */
const covers = (name, to) => new RegExp(`^${name.replaceAll('*', '.*')}$`).test(to);
const mayImport = (from, to) => from === to || [...from.may, ...(from.layers ?? [])].some((name) => covers(name, to.name));

const moduleOf = (path, rules) => rules.find(({ path: pattern }) => pattern.test(path));
const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

/** Returns the path that a specifier names, without its extension, or null for a package. */
const targetOf = (path, specifier) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier).replace(/\.(js|tsx?|css)$/, '') : null;

function checkFile({ path, source }, rules, edges) {
  const found = [];
  const say = (node, what) => found.push(`${path}:${lineAt(source, node.start ?? node.at)}: ${what}`);
  const module = moduleOf(path, rules);
  if (module === undefined) return [`${path}:1: belongs to no module of scripts/layer-rules.mjs`];
  const parsed = parseSync(path, source);
  if (parsed.errors.length > 0) return [`${path}:1: ${parsed.errors[0].message}`];
  new Visitor(visitorOf(module, say)).visit(parsed.program);
  for (const { specifier, at } of importsOf(parsed, source)) {
    const target = targetOf(path, specifier);
    if (target === null) {
      if (module.pure === true && isBuiltin(specifier)) say({ at }, `${module.name} is pure and imports ${specifier}`);
      continue;
    }
    const to = moduleOf(`${target}.ts`, rules);
    edges.push({ from: path, to: target, modules: [module.name, to?.name] });
    if (to === undefined) say({ at }, `imports ${specifier}, which belongs to no module`);
    else if (!mayImport(module, to)) say({ at }, `${module.name} imports ${to.name} (${specifier})`);
  }
  return found;
}

/** Returns unneeded rules: a module without files, unless it is optional, and a permission that no import uses. */
function staleRules(files, rules, edges) {
  return rules.flatMap(({ name, path, may, optional }) => {
    if (optional !== true && !files.some((file) => path.test(file.path))) return [`layer-rules: ${name} has no files`];
    const isUsed = (to) => edges.some(({ modules: [from, other] }) => from === name && other !== undefined && covers(to, other));
    return may.filter((to) => !isUsed(to)).map((to) => `layer-rules: ${name} imports nothing of ${to}`);
  });
}

/**
 * Returns the cycles between folders below `top`, also indirect ones: each as a closed path of folder names. An edge joins the
 * folders where two files' paths part; the files directly in a folder count as that folder, apart from its subfolders.
 */
export function folderCycles(edges, top) {
  const graph = new Map();
  for (const { from, to } of edges) {
    if (!from.startsWith(`${top}/`) || !to.startsWith(`${top}/`)) continue;
    const [a, b] = [from, to].map((path) => posix.dirname(path).split('/'));
    let shared = 0;
    while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
    if (shared === a.length && shared === b.length) continue;
    const [left, right] = [a, b].map((parts) => parts.slice(0, shared + 1).join('/'));
    graph.set(left, (graph.get(left) ?? new Set()).add(right));
  }
  const cycles = [];
  const done = new Set();
  const walk = (folder, path) => {
    if (path.includes(folder)) return void cycles.push([...path.slice(path.indexOf(folder)), folder].join(' -> '));
    if (done.has(folder)) return;
    for (const next of graph.get(folder) ?? []) walk(next, [...path, folder]);
    done.add(folder);
  };
  for (const folder of graph.keys()) walk(folder, []);
  return cycles;
}

/** Returns the files that a source names, as paths from the package's root; packages are left out. */
export const importedPaths = (path, source) =>
  importsOf(parseSync(path, source), source)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier));

/**
 * Checks the given files, each `{ path, source }` with its path from the package's root.
 * Returns the violations, the cycles between folders, and for each module the modules that it imports.
 */
export function check(files, rules = modules, tops = acyclic) {
  const edges = [];
  const violations = files.flatMap((file) => checkFile(file, rules, edges));
  const table = rules.map(({ name }) => {
    const imported = edges.filter(({ modules: [from, to] }) => from === name && to !== name).map(({ modules: [, to] }) => to);
    return [name, rules.map((rule) => rule.name).filter((other) => imported.includes(other))];
  });
  return {
    violations: [...violations, ...staleRules(files, rules, edges)],
    cycles: tops.flatMap((top) => folderCycles(edges, top)),
    table,
  };
}

/** Returns the project's own sources. */
export const sources = () =>
  [...filesUnder('src'), ...filesUnder('commands')]
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
