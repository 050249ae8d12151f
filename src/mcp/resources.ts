/** What an assistant reads by its address: exports and reports of approved results, and the shape and an example of each kind of mission. */
import { exportText, requireApprovals } from '../app/exports/export.js';
import { renderMission, type ReportFormat, reportFormats, reportTypes } from '../app/exports/report.js';
import { requireShownToAssistant } from '../app/missions/assistants.js';
import { exampleText } from '../app/missions/examples.js';
import { listPage } from '../app/missions/missions.js';
import { isUuid, requireMission } from '../app/missions/record.js';
import type { Json } from '../base/canonical-json.js';
import { utf8 } from '../base/bytes.js';
import { fromUtf8 } from '../base/text.js';
import { RefusalError } from '../base/refusal.js';
import { Schemas } from '../codec/json-schema.js';
import { type Kind, kinds } from '../codec/kinds.js';
import { works } from '../kinds/works.js';
import type { Assistant } from './assistant.js';
import { type JsonObject, RpcError } from './rpc.js';
import { remedyOf } from './tool.js';

export const exportUri = (id: string): string => `agent-cli://missions/${id}/export`;
export const reportUri = (id: string, format: ReportFormat): string => `agent-cli://missions/${id}/report.${format}`;
const kindUri = (kind: Kind): string => `agent-cli://kinds/${kind}`;

const json_type = 'application/json';

export const resourceTemplates: readonly JsonObject[] = [
  {
    uriTemplate: exportUri('{id}'),
    name: 'export',
    title: 'The export of an approved result, which verifies offline',
    mimeType: json_type,
  },
  ...reportFormats.map((format) => ({
    uriTemplate: reportUri('{id}', format),
    name: `report.${format}`,
    title: `The report of an approved result as ${format}`,
    mimeType: reportTypes[format],
  })),
];

const kindResources: readonly JsonObject[] = kinds.map((kind) => ({
  uri: kindUri(kind),
  name: kind,
  title: `Schema and example of ${kind} missions`,
  mimeType: json_type,
}));

const missions_a_page = 25;

/** Lists the kinds, and the exports and reports of approved missions, page by page. */
export async function listResources({ withHome }: Assistant, cursor: Json | undefined): Promise<JsonObject> {
  if (cursor !== undefined && typeof cursor !== 'string')
    throw new RpcError('invalid_params', 'cursor must be the nextCursor of a page');
  const { items, next_cursor } = await withHome((home) => listPage(home, { state: 'completed', limit: missions_a_page, cursor }));
  const approved = items
    .filter(({ kind }) => kind !== 'code')
    .flatMap(({ id, goal }) => [
      { uri: exportUri(id), name: `${id.slice(0, 8)}.export.json`, title: `Export: ${goal}`, mimeType: json_type },
      { uri: reportUri(id, 'md'), name: `${id.slice(0, 8)}.md`, title: `Report: ${goal}`, mimeType: reportTypes.md },
    ]);
  const resources = cursor === undefined ? [...kindResources, ...approved] : approved;
  return { resources, ...(next_cursor === null ? {} : { nextCursor: next_cursor }) };
}

interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** @throws RpcError for an address that leads to nothing that an assistant may see */
export async function readResource(assistant: Assistant, uri: Json | undefined, isModern: boolean): Promise<JsonObject> {
  if (typeof uri !== 'string') throw new RpcError('invalid_params', 'uri must be a text');
  const missing = (detail: string): RpcError => new RpcError(isModern ? 'invalid_params' : 'resource_not_found', detail, { uri });
  try {
    const content = await contentOf(assistant, uri);
    if (content === null) throw missing('there is no such resource');
    const text = content.type === reportTypes.xlsx ? null : fromUtf8(content.bytes);
    const body = text === null ? { blob: Buffer.from(content.bytes).toString('base64') } : { text };
    return { contents: [{ uri, mimeType: content.type, ...body }] };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { detail, hint } = error.refusal;
    throw missing([detail, ...remedyOf(hint, assistant.homeFlag)].join('. '));
  }
}

const missionForm = /^agent-cli:\/\/missions\/([0-9a-f-]{36})\/(?:(export)|report\.([a-z]+))$/;

async function contentOf({ withHome }: Assistant, uri: string): Promise<Content | null> {
  const kind = kinds.find((each) => kindUri(each) === uri);
  if (kind !== undefined) return { type: json_type, bytes: utf8(kindText(kind)) };
  const [, id = '', isExport, extension] = missionForm.exec(uri) ?? [];
  const format = reportFormats.find((each) => each === extension);
  if (!isUuid(id) || (isExport === undefined && format === undefined)) return null;
  return withHome(async (home) => {
    // Nothing is exported while config.json is not the signed one.
    home.config();
    requireShownToAssistant(requireMission(home.db, id));
    if (format !== undefined) return { type: reportTypes[format], bytes: (await renderMission(home, id, format)).bytes };
    await requireApprovals(home, id);
    return { type: json_type, bytes: utf8(exportText(home, id, { withoutSettlement: true }).text) };
  });
}

/** Returns the schema of a kind's work and an example of a mission file. */
export function kindText(kind: Kind): string {
  const schemas = new Schemas('#/$defs/');
  const work = schemas.of(works[kind]);
  return JSON.stringify({ schema: { ...work, $defs: schemas.components }, example: JSON.parse(exampleText(kind)) as Json });
}
