/** The tools that return what a person has approved: the result with its report, and the proof that it is in the log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { renderMission } from '../app/exports/report.js';
import type { Home } from '../app/home/home.js';
import { shownToAssistant } from '../app/missions/assistants.js';
import { completionOf, missionNamed, requireMission } from '../app/missions/record.js';
import { showMission } from '../app/missions/missions.js';
import { inclusion } from '../app/operator/entries.js';
import { report_bytes_max } from '../base/limits.js';
import { invalid, RefusalError } from '../base/refusal.js';
import { fromUtf8, wholeCut } from '../base/text.js';
import type { MissionRecord } from '../codec/api-missions.js';
import type { Mission } from '../codec/record.js';
import { described, integer, object, withDefault } from '../codec/kit.js';
import { needsSandbox } from '../kinds/table.js';
import { decisionOf, decisionText, missionId, standingAnswer } from './read-tools.js';
import { exportUri, reportUri } from './resources.js';
import { type InputNeeded, textOf, tool, type ToolAnswer, type ToolCall } from './tool.js';

/** Characters of the report, and of the result as JSON, in one answer: programs that call tools refuse or cut long ones. */
const part_chars_max = 30_000;
/** Programs that call tools give up after a minute. */
const wait_s_max = 45;
const step_ms = 1_000;

const missionResult = tool({
  name: 'mission_result',
  title: 'Read an approved result',
  description:
    'Returns the result of a mission, its report, and how anyone verifies it offline, once a person has approved it. Until then it says "not approved" and ' +
    'what has to happen, and holds nothing of the result. A long report comes in parts: call again with from. With wait_seconds it waits for the approval ' +
    'so long, at most 45; then call it again, or tell the person where to review it.',
  readOnly: true,
  input: object('MissionResultArguments', {
    id: missionId,
    from: described('where the report goes on: the next_from of the part before', withDefault(integer(0, report_bytes_max), 0)),
    wait_seconds: described('how long to wait for the approval', withDefault(integer(0, wait_s_max), 0)),
  }),
  run: async ({ id: named, from, wait_seconds }, call) => {
    const { assistant } = call;
    const id = await assistant.withHome((home) => missionNamed(home.db, named, 'id'));
    const needed = await decided(id, wait_seconds, call);
    if (needed !== null) return needed;
    return assistant.withHome((home) => {
      const record = showMission(home, id);
      if (record.state === 'completed') return approvedAnswer(home, record, from);
      const { text, document } = standingAnswer(assistant, home, record);
      return { text: `not approved: ${text}`, document: { approved: false, ...document } };
    });
  },
});

const isOpen = ({ state }: Mission): boolean => state === 'queued' || state === 'running' || state === 'review';

/** Returns what the person is to open; null once the mission is decided, the time is over or the client is gone. Reads no request: many calls may wait. */
async function decided(id: string, wait_s: number, call: ToolCall): Promise<InputNeeded | null> {
  const { assistant, exchange, isAnswered } = call;
  const read = (): Promise<Mission> => assistant.withHome((home) => requireMission(home.db, id));
  const began_ms = performance.now();
  let isShown = isAnswered;
  for (let mission = await read(); ; mission = await read()) {
    const waited_s = (performance.now() - began_ms) / 1_000;
    if (!isOpen(mission) || waited_s >= wait_s || exchange.signal.aborted) return null;
    const page = assistant.pageOf(id);
    if (mission.state === 'review' && page !== null && !isShown) {
      const message = `Review the result of mission ${id.slice(0, 8)} and approve or reject it.`;
      if (canOpen(call)) return { url: page, message };
      exchange.showAddress?.(page, message);
      isShown = true;
    }
    exchange.progress?.(Math.round(waited_s), wait_s, mission.state === 'review' ? 'in review by a person' : mission.state);
    await sleep(step_ms, undefined, { signal: exchange.signal }).catch(() => undefined);
  }
}

/** Returns whether the request says that its client opens addresses for the person. */
function canOpen({ exchange: { envelope } }: ToolCall): boolean {
  const { elicitation } = envelope.capabilities;
  return envelope.isModern && typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation;
}

async function approvedAnswer(home: Home, record: MissionRecord, from: number): Promise<ToolAnswer> {
  const { id, kind, goal, result_hash, result } = shownToAssistant(record);
  const approval = decisionOf(record);
  const head = textOf(approval === null ? [] : [decisionText(approval)]);
  const about = { approved: true, id, kind, goal, result_hash, approval };
  const json = JSON.stringify(result);
  if (needsSandbox(kind))
    return {
      text: `${head}\n${json}\nIts export and report hold held-out cases, and are for people only.`,
      document: { ...about, result },
    };
  const verify =
    `Save the resource ${exportUri(id)} as result.export.json. Whoever has agent-cli checks it offline, without this home: ` +
    `agent-cli verify-export result.export.json --public-key ${home.signer.publicKey.toString('hex')}`;
  const report = (fromUtf8((await renderMission(home, id, 'md')).bytes) ?? '').trim();
  if (from > report.length) throw new RefusalError(invalid('from', `the report has ${report.length} characters`));
  const end = endOfPart(report, from);
  const part = report.slice(from, end);
  const isLong = json.length > part_chars_max;
  const document = {
    ...about,
    ...(isLong ? { report: part, result_omitted: `its JSON has ${json.length} characters; the export holds it` } : { result }),
    ...(end < report.length ? { next_from: end } : {}),
    verify,
  };
  const more =
    end < report.length ? [`The report has ${report.length} characters; call again with from ${end} for the rest.`, ''] : [];
  const links = [
    { uri: exportUri(id), name: 'export', mimeType: 'application/json' },
    { uri: reportUri(id, 'html'), name: 'report', mimeType: 'text/html' },
  ];
  return { text: [head, '', part, '', ...more, verify].join('\n'), document, links };
}

/** Returns where a part of a report ends: at the end of a line, unless one line is longer than a part; never within a surrogate pair. */
export function endOfPart(report: string, from: number): number {
  if (report.length - from <= part_chars_max) return report.length;
  const line = report.lastIndexOf('\n', from + part_chars_max);
  return line > from ? line : wholeCut(report, from + part_chars_max);
}

const proofGet = tool({
  name: 'proof_get',
  title: 'Prove that an entry is in the log',
  description:
    'Returns the proof that the newest entry of a mission, or the one that approved its result, is in the signed log: hash and signature of the entry, the ' +
    'C2SP tlog-proof under the newest checkpoint, the public key, and the command that checks it offline.',
  readOnly: true,
  input: object('ProofGetArguments', { id: missionId }),
  run: ({ id: named }, { assistant }) =>
    assistant.withHome((home) => {
      const id = missionNamed(home.db, named, 'id');
      const completion = completionOf(home.db, id);
      const { proof, hash, signature, sequence, origin, size } = inclusion(
        home,
        completion?.entry.sequence ?? showMission(home, id).revision,
      );
      const public_key = home.signer.publicKey.toString('hex');
      const verify = `agent-cli verify-proof proof.txt --public-key ${public_key} --entry ${hash}:${signature}`;
      const what = completion === null ? 'newest entry (its result is not approved)' : 'entry that approved the result';
      const document = { id, approved: completion !== null, sequence, hash, signature, origin, size, public_key, proof, verify };
      return Promise.resolve({
        text: [
          `the ${what} of mission ${id} is entry ${sequence} of ${size}`,
          '',
          proof.trim(),
          '',
          `saved as proof.txt it is checked by: ${verify}`,
        ].join('\n'),
        document,
      });
    }),
});

export const resultTools = [missionResult, proofGet];
