/** A schedule: its figures, a Gantt chart by machine, and when each job ends. */
import type { ComponentChild } from 'preact';
import {
  clockOfView,
  delays,
  jobsOf,
  type JobView,
  machinesOf,
  type ScheduleInput,
  scheduleInputs,
  scheduleRequest,
  scheduleResult,
  type ScheduleView,
} from '../../../../kinds/schedule/view.js';
import { Figures } from '../../../kit/controls/pieces.js';
import { Quantity } from '../../../kit/controls/table-tools.js';
import { useWordsOf } from '../../../kit/text/context.js';
import type { Format } from '../../../kit/text/format.js';
import { Limits, TitledTable, useProofFigure } from '../shared/common.js';
import { explanations } from '../../../../kinds/explained.js';
import { namesOf, viewOf } from '../../../../kinds/view-fields.js';
import { words as sharedWords } from '../shared/words.js';
import { Gantt, jobTone, useTimeCells, useTimes } from './gantt.js';
import { words } from './words.js';
import { scheduleExample } from '../../../../kinds/schedule/example.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';

export const schedule: KindView<'schedule'> = {
  example: scheduleExample,
  form,
  search: ['effort', 'seed', 'population'],
  result: ({ request, result }) => {
    const view = viewOf(scheduleResult, result);
    return view && <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  },
  inputs: scheduleInputs,
};

function ScheduleResult({ result, input }: { readonly result: ScheduleView; readonly input: ScheduleInput | null }) {
  const { k, t, f, language } = useWordsOf(words);
  const { t: common } = useWordsOf(sharedWords);
  const proof = useProofFigure();
  const explained = explanations[language];
  const jobs = jobsOf(result, input);
  const { makespan, tardiness, lower_bound, gap, optimality_proven, baseline, improvement, unit } = result;
  const due = jobs.filter((job) => job.due !== null).length;
  const late = jobs.filter((job) => job.late > 0).length;
  const lateText = due === 0 ? undefined : t.result.late(f.number(late), f.number(due));
  // The bound of another objective is not a time, and a proven optimum needs none.
  const isOfMakespan = input?.objective !== 'weighted_tardiness';
  const bound = isOfMakespan && optimality_proven === false ? lower_bound : null;
  const ends = jobs
    .flatMap(({ end_at = [] }) => end_at)
    .toSorted()
    .at(-1);
  const tardy = !isOfMakespan || due > 0;
  const weighted = t.result.weighted(unit);
  return (
    <>
      <Figures
        figures={[
          [
            t.result.makespan,
            f.number(makespan),
            ends === undefined ? unit : t.result.until(unit, f.date(ends)),
            explained.makespan,
          ],
          tardy
            ? [t.result.tardiness, f.number(tardiness), [weighted, lateText].filter(Boolean).join('. '), explained.tardiness]
            : null,
          proof(optimality_proven, { name: t.result.lowerBound, value: lower_bound, gap, above: true }),
          [
            common.baseline,
            f.number(baseline),
            (isOfMakespan ? unit : weighted) +
              k.semicolon +
              (improvement > 0 ? common.better(f.percent(improvement)) : common.same),
            explained.baseline,
          ],
        ]}
      />
      <Gantt
        jobs={jobs}
        machines={machinesOf(result, input)}
        makespan={makespan}
        bound={bound}
        unit={unit}
        clock={clockOfView(result, input)}
      />
      <Jobs jobs={jobs} late={tardy ? t.result.lateBy(unit, input?.start !== undefined) : null} />
      <Delays result={result} input={input} jobs={jobs} />
      <Limits limits={result.limits} />
    </>
  );
}

interface JobsProps {
  readonly jobs: readonly JobView[];
  /** The head of the delays; null where no job has a due time. */
  readonly late: string | null;
}

function Jobs({ jobs, late }: JobsProps) {
  const { t, f } = useWordsOf(words);
  const cell = useTimeCells();
  const { job, start, end, due, inTime } = t.result;
  return (
    <TitledTable
      title={t.result.jobs}
      stacks
      head={[job, start, end, ...(late === null ? [] : [due, late])]}
      rows={jobs.map((each) => [
        <span class="pair">
          <span class="swatch" style={jobTone(each.index)} aria-hidden="true" />
          <span>{each.name}</span>
        </span>,
        cell(each.start, each.start_at),
        cell(each.end, each.end_at),
        ...(late === null ? [] : [each.due === null ? '–' : cell(each.due, each.due_at), delayCell(each, inTime, f)]),
      ])}
    />
  );
}

/** Returns an element whose quantity the files of the table find. */
function delayCell({ due, late }: JobView, inTime: string, f: Format): ComponentChild {
  if (due === null) return '–';
  if (late === 0) return <Quantity value={0} text={inTime} />;
  return (
    <strong class="toned tone-bad">
      <Quantity value={late} text={f.number(late)} />
    </strong>
  );
}

interface DelaysProps {
  readonly result: ScheduleView;
  readonly input: ScheduleInput | null;
  readonly jobs: readonly JobView[];
}

/** Why jobs are late: the operations of other jobs on their critical paths. */
function Delays({ result, input, jobs }: DelaysProps) {
  const { t } = useWordsOf(words);
  const time = useTimes();
  const all = delays(result, jobs);
  if (all.length === 0) return null;
  const [jobName, machineName] = [namesOf(input?.jobs), namesOf(input?.machines)];
  const { job, lateJobs, waitsFor, waitsForNone, waiting } = t.result;
  return (
    <TitledTable
      title={lateJobs}
      stacks
      head={[job, waitsFor]}
      texts={[0, 1]}
      rows={all.map((each) => [
        each.job.name,
        each.others
          .map((at) => waiting(jobName(at.job), machineName(at.machine), time(at.start, at.start_at), time(at.end, at.end_at)))
          .join(', ') || waitsForNone,
      ])}
    />
  );
}
