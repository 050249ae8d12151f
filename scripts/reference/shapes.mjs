/** docs/reference/configuration.md and events.md, from the codecs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesUnder, root } from '../machine.mjs';
import { code, number, table } from './markdown.mjs';

const built = (path) => import(pathToFileURL(join(root, 'dist', 'src', path)).href);

function range(low, high, word = '') {
  const unit = word === '' ? '' : ` ${word}`;
  if (low === undefined && high === undefined) return '';
  if (high === undefined) return ` from ${number(low)}${unit}`;
  return low === undefined ? ` of at most ${number(high)}${unit}` : ` from ${number(low)} to ${number(high)}${unit}`;
}

function textOf({ minLength, maxLength, pattern }) {
  const form = pattern === undefined ? '' : pattern === '\\S' ? ', not blank' : ` like ${code(pattern)}`;
  return `text${range(minLength, maxLength, 'characters')}${form}`;
}

/** Returns a JSON schema in words; the shapes that it names are written out with it. */
function words(schema, components) {
  if (schema.$ref !== undefined) return words(components[schema.$ref.split('/').at(-1)], components);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  for (const many of [schema.anyOf, schema.oneOf])
    if (many !== undefined) return many.map((each) => words(each, components)).join(' or ');
  if (schema.type === 'array')
    return `list${range(schema.minItems, schema.maxItems, 'items')}${schema.items.$ref === undefined ? ` of ${words(schema.items, components)}` : ` of {${members(schema.items, components)}}`}`;
  if (schema.type === 'object')
    return schema.properties === undefined ? 'object' : `{${Object.keys(schema.properties).map(code).join(', ')}}`;
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${range(schema.minimum, schema.maximum)}`;
  if (schema.type === 'string') return textOf(schema);
  return schema.type ?? 'any JSON value';
}

function members(ref, components) {
  const shape = components[ref.$ref.split('/').at(-1)];
  return Object.keys(shape.properties ?? {})
    .map(code)
    .join(', ');
}

async function described(codec) {
  const { Schemas } = await built('codec/json-schema.js');
  const schemas = new Schemas();
  schemas.of(codec);
  return { shape: schemas.components[codec.name], components: schemas.components };
}

function rowsOf({ shape, components }, prefix = '') {
  return Object.entries(shape.properties).map(([name, schema]) => {
    const state = shape.required.includes(name)
      ? 'required'
      : schema.default === undefined
        ? 'optional'
        : code(JSON.stringify(schema.default));
    return [code(`${prefix}${name}`), state, words(schema, components)];
  });
}

export async function configurationPage() {
  const { configCodec } = await built('codec/config.js');
  const { shape, components } = await described(configCodec);
  const inner = { Chain: 'chain.', ApprovalPolicy: 'approvals.', Notice: 'notices[].' };
  const innerRows = Object.entries(inner).flatMap(([name, prefix]) => rowsOf({ shape: components[name], components }, prefix));
  const rows = [...rowsOf({ shape, components }), ...innerRows];
  return [
    '# Configuration',
    'The configuration is one JSON object: `agent-cli config show` prints it, `agent-cli config set name=value …` changes members of it while no mission executes (`--wait` waits), and `agent-cli configure FILE` replaces it while the agent is paused. A member that is left out has its default; unknown members are refused. The configuration is recorded in the signed journal.',
    table(['Member', 'Default', 'Value'], rows),
    [
      '`name` is a label. `max_evaluations` is the effort of the engines ([how-results-are-computed.md](../how-results-are-computed.md#effort-and-time)), which a mission may replace up to `effort_max`; `executing_max` and `running_max` are the missions and the simulation runs that execute at once, null for one fewer than there are processors. [provider.md](../provider.md) explains the members for a language model,',
      '[code-missions.md](../code-missions.md) those for code, [settlement.md](../settlement.md) `chain`, [beyond-one-machine.md](../beyond-one-machine.md#missions) `execution` and its companions,',
      '[approve-with-your-own-key.md](../tutorials/approve-with-your-own-key.md) `approvals`, [operations.md](../operations.md#notices) `notices`, and [run-behind-a-proxy.md](../how-to/run-behind-a-proxy.md#passkeys) `console_origin`.',
    ].join('\n'),
    'These rules apply beside the table: `llm_url` and `llm_model` are set together or not at all; `llm_url`, `rpc_url` and the URLs of `notices` have no user, password or fragment, and `llm_url` no query; plain http is only for loopback addresses; a remote `llm_url` needs `allow_remote_llm`; `rpc_url` with http is never for `chain_id` 1; `execution` is `local`, `nats://HOST:PORT` on loopback, or `tls://HOST:PORT`, without user, password or path; `console_origin` is `https://HOST` with a name as HOST, or `http://localhost`, each with a port at most; where `approvals` changes, its `required` is at most the number of approvers who have a key.',
  ].join('\n\n');
}

export async function eventsPage() {
  const files = filesUnder('src/codec/events').map((path) => path.replace(/^src\//, '').replace(/\.ts$/, '.js'));
  const parts = [];
  for (const file of files) {
    const declared = Object.values(await built(file))
      .filter((value) => Array.isArray(value) && value.every((each) => each?.versions !== undefined))
      .flat();
    for (const declaration of declared) {
      const { codec } = declaration.versions.at(-1);
      parts.push(
        `### ${declaration.type}\n\nVersion ${declaration.version}.\n\n${table(['Member', '', 'Value'], rowsOf(await described(codec)))}`,
      );
    }
  }
  return [
    '# Events',
    'What the journal records: each entry has a type, a version, and a document of this form. The tables show the newest version of each type. [journal-format.md](../journal-format.md) describes the entry around the document, and which stream an event belongs to. `via` is the channel through which `actor` acted; what the program does by itself has none.',
    ...parts,
  ].join('\n\n');
}
