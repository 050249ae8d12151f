/** Formats tools and their manifests for people. */
import type { FileVerdict } from '../app/tools/tools.js';
import type { FieldError } from '../base/refusal.js';
import { printable, shorten } from '../base/text.js';
import type { ToolRecord } from '../codec/api-tools.js';
import type { Colour } from '../pictures/screen.js';
import { listed as table, pairs } from './table.js';
import { paint, width } from './text.js';

const colours: Readonly<Record<ToolRecord['status'], Colour>> = {
  active: 'green',
  deprecated: 'yellow',
  disabled: 'red',
  quarantined: 'red',
  draft: 'grey',
};

const gates: Readonly<Record<string, string>> = {
  review: "the mission's approved review",
  configuration: 'the signed configuration',
};

const listed = (words: readonly string[]): string =>
  words.length === 0 ? 'none' : shorten(printable(words.join(', ')), 2 * width());
const line = (text: string): string => shorten(printable(text), 2 * width());

/** Formats a tool: what it is, what it may do, and whether it may be used. */
export function toolLines({ id, status, own, gate, note, updated_at, manifest }: ToolRecord): string[] {
  const { approval_required_for: approval } = manifest;
  return pairs([
    ['tool', printable(id)],
    ['status', paint.out(colours[status], status)],
    ['changed', updated_at],
    ['note', note === null ? null : line(note)],
    ['kind', own ? 'built in: its status is enforced' : 'imported: for reference only'],
    ['name', line(`${manifest.tool_name} ${manifest.tool_version}`)],
    ['provider', line(manifest.provider)],
    ['owner', line(manifest.owner)],
    ['about', line(manifest.description)],
    ['risk', manifest.risk_class],
    ['permissions', `${listed(manifest.permission_classes_supported)} (default ${manifest.default_permission})`],
    ['approval', approval.length === 0 || gate === null ? listed(approval) : `${listed(approval)}: ${gates[gate] ?? gate}`],
    ['effects', `${listed(manifest.side_effects)}${manifest.external_effect ? ', reaches outside' : ''}`],
    ['data', listed(manifest.data_access)],
  ]);
}

const id_columns_min = 20;
const id_columns_max = 36;
const [status_columns, risk_columns] = [11, 10];
const imported = ' (imported)';
/** The name gets at least these columns; on a narrower screen it and the risk are left out. */
const name_columns_min = 10;

export function toolTable(items: readonly ToolRecord[]): string[] {
  const ids = Math.max(id_columns_min, ...items.map(({ id }) => Math.min(id.length, id_columns_max)));
  const name_columns = width() - (ids + 2 + status_columns + 2 + risk_columns + 2) - imported.length;
  const rows = items.map(({ id, status, own, manifest }) => {
    const name = shorten(printable(manifest.tool_name), name_columns);
    return [shorten(id, ids), paint.out(colours[status], status), manifest.risk_class, `${name}${own ? '' : imported}`];
  });
  if (name_columns < name_columns_min)
    return table(
      { tool: ids, status: 0 },
      rows.map((row) => row.slice(0, 2)),
    );
  return table({ tool: ids, status: status_columns, risk: risk_columns, name: 0 }, rows);
}

const faultLines = (faults: readonly FieldError[], mark: string): string[] =>
  faults.map(({ path, message }) => `  ${mark} ${path === '' ? '' : `${printable(path)}: `}${printable(message)}`);

/** Formats all faults and warnings of a file, each with its path within the manifest. */
export function verdictLines({ path, valid, errors, warnings }: FileVerdict): string[] {
  const mark = valid ? paint.out('green', '✓') : paint.out('red', '✗');
  return [
    `${mark} ${printable(path)}`,
    ...faultLines(errors, paint.out('red', '✗')),
    ...faultLines(warnings, paint.out('yellow', '!')),
  ];
}

/** Returns the warnings as texts for standard error, each with its path within the manifest. */
export const warningTexts = (warnings: readonly FieldError[]): string[] =>
  warnings.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
