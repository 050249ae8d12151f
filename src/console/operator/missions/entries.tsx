/** A mission's entries in the signed journal. */
import { useState } from 'preact/hooks';
import { missionEntriesCodec } from '../../../codec/api-missions.js';
import { ProofDialog } from '../journal/proof.js';
import { Loading, Scroll } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { brief } from '../../kit/text/format.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function Entries({ id, revision }: { readonly id: string; readonly revision: number }) {
  const { t, f } = useWords();
  const { api } = useSession();
  const path = `/api/missions/${id}/events`;
  const { data, problem, reload } = useLoad(`${path} ${revision}`, (signal) => api.get(path, missionEntriesCodec, signal));
  const [asked, setAsked] = useState<number | null>(null);
  const { sequence, type, time, hash, proof } = t.mission.entryColumns;
  if (data === null)
    return problem === null ? <Loading /> : <ProblemBox title={t.failed.entries} problem={problem} retry={reload} />;
  return (
    <>
      <p class="help">{t.mission.entriesText}</p>
      <Scroll label={t.mission.entries}>
        <table>
          <thead>
            <tr>
              {[sequence, type, time, hash, proof].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((entry) => (
              <tr key={entry.sequence}>
                <th scope="row" class="numeric">
                  {entry.sequence}
                </th>
                <td>
                  <code>{entry.type}</code>
                </td>
                <td>
                  <time dateTime={entry.time}>{f.dateTime(entry.time)}</time>
                </td>
                <td>
                  <code title={entry.hash}>{brief(entry.hash)}</code>
                </td>
                <td>
                  <button type="button" class="small" onClick={() => setAsked(entry.sequence)}>
                    {t.mission.proof}
                    <span class="sr-only"> {entry.sequence}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {asked !== null && <ProofDialog sequence={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
