/** Projection of tools: the state of each tool that has entries. Shipped manifests are not part of it. */
import { canonicalJson } from '../base/canonical-json.js';
import { RefusalError, unwrap } from '../base/result.js';
import { time } from '../codec/scalars.js';
import { decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { toolStatus } from '../codec/events/tool.js';
import { manifestCodec } from '../codec/tool-manifest.js';
import { toolStream, type Tool } from '../domain/tool.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';

interface ToolRow extends Omit<Tool, 'manifest'> {
  readonly manifest: string | null;
}

const columns = 'id, status, manifest, note, revision, updated_at';

const toolCodec = object('Tool', {
  id: required(text()),
  status: required(toolStatus),
  manifest: required(nullable(manifestCodec)),
  note: required(nullable(text())),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
  updated_at: required(time),
});

function toolOf(row: ToolRow): Tool {
  try {
    const manifest: unknown = row.manifest === null ? null : JSON.parse(row.manifest);
    return unwrap(decode(toolCodec, { ...row, manifest }));
  } catch (error) {
    if (!(error instanceof RefusalError) && !(error instanceof SyntaxError)) throw error;
    throw new RefusalError({ code: 'integrity', detail: 'the tools table is damaged', hint: 'agent-cli rebuild' });
  }
}

/** Returns the recorded state of a tool, or null. */
export function readTool(db: Db, id: string): Tool | null {
  const row = db.prepare<[string], ToolRow>(`SELECT ${columns} FROM tool WHERE id = ?`).get(id);
  return row === undefined ? null : toolOf(row);
}

/** Returns every tool that has entries, by id. */
export const recordedTools = (db: Db): Tool[] =>
  db.prepare<[], ToolRow>(`SELECT ${columns} FROM tool ORDER BY id`).all().map(toolOf);

export const toolsProjector: Projector = {
  name: 'tools',
  version: 1,
  ddl: projectionDdl('tools.v1.sql'),
  tables: ['tool'],
  bind(db) {
    const write = db.prepare(
      `INSERT INTO tool(${columns}) VALUES (@id, @status, @manifest, @note, @revision, @updated_at)
       ON CONFLICT(id) DO UPDATE SET status = excluded.status, manifest = excluded.manifest, note = excluded.note,
         revision = excluded.revision, updated_at = excluded.updated_at`,
    );
    return projectStream(
      toolStream,
      (id) => readTool(db, id),
      (tool) => void write.run({ ...tool, manifest: tool.manifest === null ? null : canonicalJson(tool.manifest) }),
    );
  },
};
