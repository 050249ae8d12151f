/** All tools with their status; importing another manifest. */
import { useState } from 'preact/hooks';
import { toolListCodec, toolRecordCodec, type ToolRecord } from '../../../codec/api-tools.js';
import { localProblem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle, Facts, JsonDetails } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction, useLoad } from '../../kit/load.js';
import { hrefOf } from '../session/route.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { tool_note_chars_max } from '../../../base/limits.js';
import type { ToolStatus } from '../../../codec/tool-manifest.js';
import { toolMoves } from './moves.js';

export function ToolsPage() {
  const { t } = useWords();
  const { api } = useSession();
  const { administer } = useRights();
  const { data, problem, reload } = useLoad('/api/tools', (signal) => api.get('/api/tools', toolListCodec, signal));
  const [file, setFile] = useState('manifest.json');
  return (
    <>
      <PageTitle title={t.tools.title} />
      <p class="lead">{t.tools.lead}</p>
      {problem !== null && <ProblemBox title={t.failed.tools} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <ToolTable items={data.items} />}
      {administer && <ImportForm done={reload} chosen={setFile} />}
      <CommandLine lines={[agentCli('tool', 'list'), ...(administer ? [agentCli('tool', 'import', file)] : [])]} />
    </>
  );
}

function ToolTable({ items }: { readonly items: readonly ToolRecord[] }) {
  const { t } = useWords();
  const { tool: name, risk, status, provider } = t.tools.columns;
  if (items.length === 0) return <Empty title={t.tools.empty} />;
  return (
    <table role="table" class="list list-tools">
      <caption class="sr-only">{t.tools.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[name, status, risk, provider].map((column) => (
            <th scope="col" role="columnheader" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((tool) => (
          <tr role="row" key={tool.id}>
            <th scope="row" role="rowheader">
              <a href={hrefOf({ page: 'tool', id: tool.id })} lang="en">
                {tool.manifest.tool_name}
              </a>
              <span class="id">{tool.id}</span>
            </th>
            <td role="cell" data-label={status}>
              <ToolStatusBadge status={tool.status} />
            </td>
            <td role="cell" data-label={risk}>
              {t.tools.risks[tool.manifest.risk_class] ?? tool.manifest.risk_class}
            </td>
            <td role="cell" data-label={provider}>
              {tool.manifest.provider} <span class="muted">({tool.own ? t.tools.own : t.tools.foreign})</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ImportProps {
  readonly done: () => void;
  readonly chosen: (name: string) => void;
}

function ImportForm({ done, chosen }: ImportProps) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const [file, setFile] = useState<File | null>(null);
  const choose = (picked: File | undefined): void => {
    setFile(picked ?? null);
    if (picked !== undefined) chosen(picked.name);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (file === null) return;
    run(async () => {
      const text = await file.text().catch((error: unknown) => {
        throw localProblem('file', error instanceof Error ? error.message : '');
      });
      const tool = await api.post('/api/tools', toolRecordCodec, { text });
      announce(t.tools.imported(tool.id));
      done();
    });
  };
  return (
    <form class="card" onSubmit={submit} noValidate>
      <h2>{t.tools.import}</h2>
      <p>{t.tools.importText}</p>
      <label for="manifest-file">{t.tools.importFile}</label>
      <input
        id="manifest-file"
        type="file"
        accept=".json,application/json"
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
      {problem !== null && <ProblemBox title={t.failed.import} problem={problem} />}
      <div class="actions">
        <button type="submit" disabled={busy || file === null}>
          {t.tools.import}
        </button>
      </div>
    </form>
  );
}

/** A tool: its manifest, its status, and changing it with a reason. */
export function ToolPage({ id }: { readonly id: string }) {
  const { t } = useWords();
  const { api } = useSession();
  const { administer } = useRights();
  const path = `/api/tools/${encodeURIComponent(id)}`;
  const { data, problem, reload, set } = useLoad(path, (signal) => api.get(path, toolRecordCodec, signal));
  return (
    <>
      <p>
        <a href="#/tools">← {t.tools.back}</a>
      </p>
      {data === null ? (
        <>
          <PageTitle title={id} />
          {problem === null ? <Loading /> : <ProblemBox title={t.failed.tool} problem={problem} retry={reload} />}
        </>
      ) : (
        <>
          <p class="eyebrow">
            <code>{data.id}</code> <ToolStatusBadge status={data.status} />
          </p>
          <PageTitle title={data.manifest.tool_name} />
          <p class="lead" lang="en">
            {data.manifest.description}
          </p>
          <Manifest tool={data} />
          {administer && <StatusForm key={data.status} tool={data} set={set} />}
        </>
      )}
      {(data === null || !administer) && <CommandLine lines={[agentCli('tool', 'show', id)]} />}
    </>
  );
}

/** What is shown elsewhere on the page. */
const shownAbove = ['tool_name', 'description', 'tool_id', 'status'];

function Manifest({ tool }: { readonly tool: ToolRecord }) {
  const { t } = useWords();
  const { manifest, note, gate } = tool;
  const text = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? t.tools.yes : t.tools.no;
    if (Array.isArray(value)) return value.length === 0 ? t.tools.none : value.map(String).join(', ');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <section aria-labelledby="manifest">
      <h2 id="manifest">{t.tools.manifest}</h2>
      {(note !== null || gate !== null) && (
        <Facts
          wide
          facts={[
            note === null ? null : [t.tools.note, note],
            gate === null ? null : [t.tools.gate, <span lang="en">{gate}</span>],
          ]}
        />
      )}
      <dl class="facts facts-wide">
        {Object.entries(manifest)
          .filter(([name]) => !shownAbove.includes(name))
          .map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd lang={typeof value === 'boolean' || (Array.isArray(value) && value.length === 0) ? undefined : 'en'}>
                {text(value)}
              </dd>
            </div>
          ))}
      </dl>
      <JsonDetails title={t.mission.raw} value={manifest} />
    </section>
  );
}

function StatusForm({ tool, set }: { readonly tool: ToolRecord; readonly set: (tool: ToolRecord) => void }) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const moves = toolMoves[tool.status];
  const [status, setStatus] = useState<ToolStatus | undefined>(moves[0]);
  const [note, setNote] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const bad = note.trim() === '' || note.length > tool_note_chars_max;
    setFault(bad ? t.tools.reasonMissing : '');
    if (bad || status === undefined) return document.getElementById('tool-note')?.focus();
    run(async () => {
      const body = { text: JSON.stringify({ status, note }) };
      const changed = await api.post(`/api/tools/${encodeURIComponent(tool.id)}/status`, toolRecordCodec, body);
      announce(t.tools.done(tool.manifest.tool_name, t.tools.statuses[changed.status]));
      set(changed);
    });
  };
  return (
    <form class="card" onSubmit={submit} noValidate>
      <h2>{t.tools.change}</h2>
      <label for="tool-status">{t.tools.newStatus}</label>
      <select
        id="tool-status"
        value={status}
        onChange={(event) => setStatus(moves.find((each) => each === event.currentTarget.value))}
      >
        {moves.map((each) => (
          <option key={each} value={each}>
            {t.tools.statuses[each]}
          </option>
        ))}
      </select>
      <Reason note={note} set={setNote} fault={fault} />
      {problem !== null && <ProblemBox title={t.failed.toolStatus} problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {t.tools.submit}
        </button>
      </div>
      <CommandLine lines={[statusCommand(tool.id, status, note)]} />
    </form>
  );
}

/** Without a reason there is no command that changes anything yet. */
const statusCommand = (id: string, status: ToolStatus | undefined, note: string): string =>
  status === undefined || note.trim() === ''
    ? agentCli('tool', 'status', id, '--help')
    : agentCli('tool', 'status', id, '--set', status, '--note', note);

interface ReasonProps {
  readonly note: string;
  readonly set: (note: string) => void;
  readonly fault: string;
}

function Reason({ note, set, fault }: ReasonProps) {
  const { t } = useWords();
  return (
    <>
      <label for="tool-note">{t.tools.reason}</label>
      <textarea
        id="tool-note"
        rows={2}
        value={note}
        onInput={(event) => set(event.currentTarget.value)}
        aria-describedby="tool-note-help tool-note-fault"
        aria-invalid={fault !== ''}
      />
      <p id="tool-note-help" class="help">
        {t.tools.reasonHint}
      </p>
      <p id="tool-note-fault" class="field-error" role="alert">
        {fault}
      </p>
    </>
  );
}

/** Pieces of the pages of tools. */
function ToolStatusBadge({ status }: { readonly status: ToolStatus }) {
  const { t } = useWords();
  return <span class={`badge tool-${status}`}>{t.tools.statuses[status]}</span>;
}
