/** What the page does around the core: it reads what it is given, and shows what the core answers, in English or French. */
import { shownOf } from '../../src/base/shown.ts';
import * as reports from './reports.ts';
import { coreInFrench, french, messages, phrasesInFrench } from './texts.js';

const element = (id) => document.getElementById(id);
const translated = [...document.querySelectorAll('[data-text]')];
const english = Object.fromEntries(translated.map((node) => [node.dataset.text, node.textContent]));
const marks = {
  valid: 'M4 12.5l5.5 5.5L20 6.5',
  unread: 'M12 4v10M12 19v.5',
  refuted: 'M6 6l12 12M18 6L6 18',
  unusable: 'M12 4v10M12 19v.5',
};
const state = { language: 'en', file: null, answer: null, run: 0, problem: '' };

const text = (key) => (state.language === 'fr' ? french[key] : (english[key] ?? messages[key]));
/** The core speaks English: a number is taken out to find the French. */
function spoken(words) {
  if (state.language !== 'fr') return words;
  const phrase = phrasesInFrench.find(([form]) => form.test(words));
  if (phrase !== undefined) return words.replace(...phrase);
  const slot = /\d+/.exec(words)?.[0] ?? '#';
  return coreInFrench[words.replace(slot, '#')]?.replace('#', slot) ?? words;
}

function speak(language) {
  state.language = language;
  document.documentElement.lang = language;
  document.title = text('title');
  for (const node of translated) node.textContent = text(node.dataset.text);
  for (const button of document.querySelectorAll('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
  }
  element('result').setAttribute('aria-label', text('result'));
  show();
}

/** A text that others wrote: each character that is not seen is its code point, and nothing in it orders what is around it. */
function shown(words, isCode = false) {
  const { direction, parts } = shownOf(words, isCode) ?? { direction: 'ltr', parts: [words] };
  const node = row('bdi', ...parts.map((part) => (typeof part === 'string' ? part : partShown(part))));
  node.dir = direction;
  return node;
}

function partShown({ run, name, kind }) {
  if (run !== undefined) return row('bdi', run);
  const mark = row('mark', name);
  mark.dir = 'ltr';
  mark.title = text(kind);
  return mark;
}

const row = (tag, ...children) => {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
};
const line = (kind, mark, words) => {
  const sign = row('span', mark);
  sign.className = kind;
  sign.setAttribute('aria-hidden', 'true');
  return row('li', sign, row('span', shown(spoken(words))));
};
const report_bytes_max = 16 * 1024 * 1024;
const kinds = { '✓': 'ok', '?': 'odd' };

function show() {
  showFile();
  element('problem').textContent = state.problem === '' ? '' : text(state.problem);
  const { answer } = state;
  element('answer').hidden = answer === null;
  if (answer === null) return;
  const { verdict, reason, lines, own = [], fault = null } = answer;
  element('verdict').className = `verdict ${verdict === 'unread' ? 'unusable' : verdict}`;
  element('mark').setAttribute('d', marks[verdict]);
  element('verdict-title').textContent = text(verdict);
  const words = fault !== null ? text(fault) : reason === null ? text('validWords') : spoken(reason);
  element('verdict-words').replaceChildren(shown(words[0].toUpperCase() + words.slice(1)));
  const all = lines.map((each) => line(kinds[each[0]], each[0], each.slice(2)));
  for (const [mark, key] of own) all.push(line(kinds[mark] ?? 'no', mark, text(key)));
  if (reason !== null) all.push(line(verdict === 'refuted' ? 'no' : 'odd', verdict === 'refuted' ? '✗' : '!', reason));
  element('lines').replaceChildren(...all);
  const isSigned = verdict === 'valid' || verdict === 'unread';
  element('signed').hidden = !isSigned;
  if (isSigned) showSigned(answer);
}

/** Only what a valid export holds, and only as text. */
function showSigned({ entry, checkpoint, request, approvers, result, settlement, readable }) {
  const { review, engine, request: earlier } = entry.document;
  const asked = request ?? earlier;
  const place = checkpoint === null ? null : text('place').replace('#', entry.sequence).replace('#', checkpoint.size);
  const facts = [
    ['goal', asked?.goal],
    ['assistant', entry.document.assistant],
    ['kind', asked?.work?.kind],
    ['engine', engine && `${engine.name} ${engine.version}`],
    ['approvedBy', approvers ?? review.actor],
    ['at', review.at],
    ['note', review.note],
    ['mission', entry.mission],
    ['entry', place],
    ['head', checkpoint?.root],
    ['resultHash', review.result_hash],
    ...paymentFacts(settlement),
  ];
  const known = facts.filter(([, value]) => typeof value === 'string' && value !== '');
  const pairs = known.flatMap(([key, value]) => [row('dt', text(key)), row('dd', shown(value))]);
  element('facts').replaceChildren(...pairs);
  element('result').replaceChildren(shown(result, true));
  showReadable(readable);
}

/** The result with its picture and tables, in a tree that the styles of the page do not reach. */
function showReadable(readable) {
  const place = element('readable');
  place.hidden = readable === null;
  if (readable === null) return;
  const tree = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(reports.style);
  tree.adoptedStyleSheets = [sheet];
  const main = row('div', ...new DOMParser().parseFromString(readable, 'text/html').body.childNodes);
  main.className = 'report';
  main.lang = 'en';
  tree.replaceChildren(main);
}

/** The text of UTF-8 bytes; null for others. */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Verifies an export, or a report: the export in it, and then that its text is what the export gives. */
async function judge(bytes, key, note, people) {
  const given = textOf(bytes);
  const isReport = given !== null && reports.isReport(given);
  const embedded = isReport ? reports.embeddedIn(given) : null;
  if (isReport && embedded === null)
    return { verdict: 'unusable', reason: null, lines: [], own: [['!', 'noExport']], fault: 'noExport' };
  // The export of a report ends without the line feed of a file.
  const exported = embedded === null ? bytes : new TextEncoder().encode(`${embedded.exported}\n`);
  const answer = await verifyExport(exported, key, note, people);
  if (answer.verdict !== 'valid') return answer;
  const document = JSON.parse(textOf(exported));
  // Numbers of schema 1 do not survive a parse: its result is shown as it was written.
  const result = document.receipt.canonical_result;
  const found = {
    ...answer,
    request: document.request,
    approvers: document.approvals?.map(({ approver }) => approver).join(', '),
    result: answer.entry.schema === 2 ? JSON.stringify(JSON.parse(result), null, 2) : result,
    readable: reports.readableOf(document),
  };
  if (embedded === null) return found;
  const rendered = reports.isRendered(given, embedded, document);
  if (rendered === false) return { ...answer, verdict: 'refuted', own: [['✗', 'changedReport']], fault: 'changedReport' };
  if (rendered === null) return { ...found, verdict: 'unread', own: [['?', 'unreadReport']], fault: 'unreadReport' };
  return { ...found, own: [['✓', 'sameReport']] };
}

/** The recorded payment, which the chain alone can confirm. */
function paymentFacts(settlement) {
  if (settlement === null) return [];
  const { amount_units, chain_id, environment, payer, recipient, transaction_hash, log_index, block_number, block_time } =
    settlement;
  const [whole, fraction] = [amount_units.slice(0, -18), amount_units.padStart(18, '0').slice(-18).replace(/0+$/, '')];
  const tokens = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  const fill = (key, ...values) => values.reduce((words, value) => words.replace('#', value), text(key));
  return [
    ['payment', fill('amount', tokens, amount_units)],
    ['chain', environment === 'mainnet' ? String(chain_id) : fill('testChain', chain_id)],
    ['payer', payer],
    ['recipient', recipient],
    ['transaction', fill('transfer', transaction_hash, log_index, block_number)],
    ['recordedAt', block_time],
  ];
}

function showFile() {
  const { file } = state;
  element('drop').classList.toggle('full', file !== null);
  element('file-name').replaceChildren(shown(file === null ? text('choose') : file.name));
  const size = file === null ? '' : new Intl.NumberFormat(state.language).format(file.size);
  element('file-hint').textContent = file === null ? text('chooseHint') : text('bytes').replace('#', size);
}

function forget(problem = '') {
  state.run++;
  state.answer = null;
  state.problem = problem;
  show();
}

/** The key as it is given, or as the identity that holds it. */
const keyGiven = () => element('key').value.trim().toLowerCase().replace('urn:agialpha:ed25519:', '');

/** Whom the reader knows, and how many people must have signed. */
async function peopleGiven() {
  const lines = element('approvers')
    .value.split('\n')
    .filter((each) => each.trim() !== '');
  const approvers = lines.map(async (each) => {
    const [, name, key] = /^\s*([\w-]+)=\s*(\S[^]*?)\s*$/.exec(each) ?? [];
    if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(key)) return { name, fingerprint: key };
    return { name, ...(await readKey('ssh', key)) };
  });
  return { approvers: await Promise.all(approvers), required: element('required').valueAsNumber || 0 };
}

async function verify() {
  const { file } = state;
  const key = keyGiven();
  if (file === null) return forget('needFile');
  if (!/^[0-9a-f]{64}$/.test(key)) return forget(key === '' ? 'needKey' : 'badKey');
  // What is no number has no value, and would demand nothing.
  if (!element('required').checkValidity()) return forget('badCount');
  const people = await peopleGiven().catch(() => null);
  if (people === null) return forget('badPeople');
  const run = ++state.run;
  try {
    const bytes = new Uint8Array(await file.slice(0, report_bytes_max + 1).arrayBuffer());
    const note = await element('checkpoint').files[0]?.slice(0, 65_537).text();
    const answer = await judge(bytes, key, note ?? null, people);
    if (run !== state.run) return;
    Object.assign(state, { answer, problem: '' });
    show();
    element('answer').focus({ preventScroll: true });
    element('answer').scrollIntoView({ block: 'nearest' });
  } catch {
    forget('unreadable');
  }
}

function take(file) {
  state.file = file ?? null;
  forget();
  if (state.file !== null && keyGiven() !== '') void verify();
}

/** RFC 8032, 7.1, test 1. */
async function isSupported() {
  if (globalThis.crypto?.subtle === undefined) return false;
  const bytes = (digits) => Uint8Array.from(digits.match(/../g), (byte) => Number.parseInt(byte, 16));
  const key = bytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  const half = 'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd';
  return verifiesEd25519(key, new Uint8Array(), bytes(`${half}25bf5f0595bbe24655141438e7a100b`)).catch(() => false);
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
element('file').addEventListener('change', ({ target }) => take(target.files[0]));
for (const name of ['key', 'approvers', 'required']) element(name).addEventListener('input', () => forget());
element('checkpoint').addEventListener('change', () => forget());
// A file that is dropped beside the field must not be opened in place of the page.
for (const type of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    element('drop').classList.toggle('over', type === 'dragover');
    if (type !== 'drop' || event.dataTransfer.files.length === 0) return;
    const { files } = event.dataTransfer;
    take(files.length === 1 ? files[0] : null);
    if (files.length > 1) forget('oneFile');
  });
}
for (const button of document.querySelectorAll('[data-language]')) {
  button.addEventListener('click', () => speak(button.dataset.language));
}
speak(navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en');
void isSupported().then((supported) => {
  element('unsupported').hidden = supported;
  element('verify').disabled = !supported;
});
