/** All tools with their status; importing another manifest. */
import { useState } from 'preact/hooks';
import { toolListCodec, toolRecordCodec, type ToolRecord } from '../../../codec/api-tools.js';
import { localProblem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction, useLoad } from '../../kit/load/use-load.js';
import { hrefOf } from '../session/route.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { ToolStatusBadge } from './pieces.js';

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
