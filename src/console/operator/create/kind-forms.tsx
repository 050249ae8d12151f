/** The form of each kind of work. */
import type { ComponentChildren } from 'preact';
import type { Kind } from '../../../codec/kinds.js';
import { AllocationForm } from '../kinds/allocation/form.js';
import { CodeForm } from '../kinds/code/form.js';
import { ForecastForm } from '../kinds/forecast/form.js';
import { ResearchForm } from '../kinds/research/form.js';
import { ScheduleForm } from '../kinds/schedule/form.js';
import type { Drafts } from './model.js';

interface WorkProps {
  readonly kind: Kind;
  readonly drafts: Drafts;
  readonly set: <K extends Kind>(kind: K, part: Partial<Drafts[K]>) => void;
}

export function WorkForm({ kind, drafts, set }: WorkProps): ComponentChildren {
  switch (kind) {
    case 'research':
      return <ResearchForm draft={drafts.research} set={(part) => set('research', part)} />;
    case 'allocation':
      return <AllocationForm draft={drafts.allocation} set={(part) => set('allocation', part)} />;
    case 'schedule':
      return <ScheduleForm draft={drafts.schedule} set={(part) => set('schedule', part)} />;
    case 'forecast':
      return <ForecastForm draft={drafts.forecast} set={(part) => set('forecast', part)} />;
    case 'code':
      return <CodeForm draft={drafts.code} set={(part) => set('code', part)} />;
  }
}
