/** All tools with their status; importing another manifest. */
import { useState } from 'preact/hooks';
import { tool_note_chars_max } from '../../../base/limits.js';
import { toolListCodec, type ToolRecord, toolRecordCodec } from '../../../codec/api-tools.js';
import { toolMoves, type ToolStatus } from '../../../codec/tool-manifest.js';
import { localProblem } from '../../kit/api/client.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Select } from '../../kit/controls/inputs.js';
import { Empty, Facts, JsonDetails, Load, PageTitle } from '../../kit/controls/pieces.js';
import { ListTable } from '../../kit/controls/tables.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { RequestForm, useReason } from '../../kit/forms/request-form.js';
import { hrefOf } from '../session/route.js';
import { useGet, useRights, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

export function ToolsPage() {
  const { t } = useWords();
  const { administer } = useRights();
  const tools = useGet('/api/tools', toolListCodec);
  const [file, setFile] = useState('manifest.json');
  return (
    <>
      <PageTitle title={t.tools.title} />
      <p class="lead">{t.tools.lead}</p>
      <Load from={tools} failed={t.failed.tools}>
        {({ items }) => (items.length === 0 ? <Empty title={t.tools.empty} /> : <ToolTable items={items} />)}
      </Load>
      {administer && <ImportForm done={tools.reload} chosen={setFile} />}
      <CommandLine lines={[agentCli('tool', 'list'), ...(administer ? [agentCli('tool', 'import', file)] : [])]} />
    </>
  );
}

function ToolTable({ items }: { readonly items: readonly ToolRecord[] }) {
  const { t } = useWords();
  const { tool: name, risk, status, provider } = t.tools.columns;
  const cellsOf = ({ id, manifest, status: now, own }: ToolRecord) => [
    <>
      <a href={hrefOf({ page: 'tool', id })} lang="en">
        {manifest.tool_name}
      </a>
      <span class="id">{id}</span>
    </>,
    <ToolStatusBadge status={now} />,
    t.tools.risks[manifest.risk_class] ?? manifest.risk_class,
    <>
      {manifest.provider} <span class="muted">({own ? t.tools.own : t.tools.foreign})</span>
    </>,
  ];
  return (
    <ListTable
      name="tools"
      caption={t.tools.title}
      columns={[name, status, risk, provider]}
      rows={items.map((tool) => ({ key: tool.id, cells: cellsOf(tool) }))}
    />
  );
}

function ImportForm({ done, chosen }: { readonly done: () => void; readonly chosen: (name: string) => void }) {
  const { t } = useWords();
  const task = useTask();
  const [file, setFile] = useState<File | null>(null);
  const choose = (picked: File | undefined): void => {
    setFile(picked ?? null);
    if (picked !== undefined) chosen(picked.name);
  };
  const submit = (): void => {
    if (file === null) return;
    task.run(async () => {
      const text = await file.text().catch((error: unknown) => {
        throw localProblem('file', error instanceof Error ? error.message : '');
      });
      const tool = await task.api.post('/api/tools', toolRecordCodec, { text });
      task.announce(t.tools.imported(tool.id));
      done();
    });
  };
  const says = { failed: t.failed.import, text: t.tools.import, tone: '' };
  return (
    <RequestForm class="card" task={task} {...says} submit={submit} isReady={file !== null}>
      <h2>{t.tools.import}</h2>
      <p>{t.tools.importText}</p>
      <label for="manifest-file">{t.tools.importFile}</label>
      <input
        id="manifest-file"
        type="file"
        accept=".json,application/json"
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
    </RequestForm>
  );
}

/** A tool: its manifest, its status, and changing it with a reason. */
export function ToolPage({ id }: { readonly id: string }) {
  const { t } = useWords();
  const { administer } = useRights();
  const loaded = useGet(`/api/tools/${encodeURIComponent(id)}`, toolRecordCodec);
  const { data, set } = loaded;
  return (
    <>
      <p>
        <a href="#/tools">← {t.tools.back}</a>
      </p>
      {data === null ? (
        <>
          <PageTitle title={id} />
          <Load from={loaded} failed={t.failed.tool}>
            {() => null}
          </Load>
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

/** Whether a value is told in the words of the page. */
const isOfPage = (value: unknown): boolean => typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);

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
          facts={[
            note === null ? null : [t.tools.note, note],
            gate === null ? null : [t.tools.gate, <span lang="en">{gate}</span>],
          ]}
        />
      )}
      <Facts
        isDocument
        facts={Object.entries(manifest).map(([name, value]) =>
          shownAbove.includes(name) ? null : [name, <span lang={isOfPage(value) ? undefined : 'en'}>{text(value)}</span>],
        )}
      />
      <JsonDetails title={t.mission.raw} value={manifest} />
    </section>
  );
}

function StatusForm({ tool, set }: { readonly tool: ToolRecord; readonly set: (tool: ToolRecord) => void }) {
  const { t } = useWords();
  const task = useTask();
  const moves = toolMoves[tool.status];
  const of = `${task.status.actor.name}.${tool.id}`;
  const { form, set: choose, forget: forgetStatus } = useKeptState(`tool-status.${of}`, { status: moves[0] });
  const status = moves.find((each) => each === form.status) ?? moves[0];
  const { label, missing } = t.reason;
  const words = { label, hint: t.tools.reasonHint, missing, chars_max: tool_note_chars_max };
  const { reason: note, field, isGiven, forget } = useReason({ id: 'tool-note', from: `tool.${of}`, ...words });
  const submit = (): void => {
    if (!isGiven() || status === undefined) return;
    task.run(async () => {
      const body = { text: JSON.stringify({ status, note }) };
      const changed = await task.api.post(`/api/tools/${encodeURIComponent(tool.id)}/status`, toolRecordCodec, body);
      forget();
      forgetStatus();
      task.announce(t.tools.done(tool.manifest.tool_name, t.tools.statuses[changed.status]));
      set(changed);
    });
  };
  const command = <CommandLine lines={[statusCommand(tool.id, status, note)]} />;
  const says = { failed: t.failed.toolStatus, text: t.tools.submit };
  return (
    <RequestForm class="card" task={task} {...says} submit={submit} below={command}>
      <h2>{t.tools.change}</h2>
      <Select
        label={t.tools.newStatus}
        options={moves.map((each) => [each, t.tools.statuses[each]] as const)}
        value={status ?? ''}
        choose={(each) => each !== '' && choose({ status: each })}
      />
      {field}
    </RequestForm>
  );
}

/** Without a reason there is no command that changes anything yet. */
const statusCommand = (id: string, status: ToolStatus | undefined, note: string): string =>
  status === undefined || note.trim() === ''
    ? agentCli('tool', 'status', id, '--help')
    : agentCli('tool', 'status', id, '--set', status, '--note', note);

function ToolStatusBadge({ status }: { readonly status: ToolStatus }) {
  const { t } = useWords();
  return <span class={`badge tool-${status}`}>{t.tools.statuses[status]}</span>;
}
