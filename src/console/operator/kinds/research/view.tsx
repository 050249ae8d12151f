/** Research missions in the console. */
import { researchExample } from '../../../../kinds/research/example.js';
import { researchResult } from '../../../../kinds/research/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/work.js';
import { ResearchResult } from './result.js';
import { empty, fromWork, valuesOf } from './draft.js';
import { ResearchForm } from './form.js';

export const research: KindView<'research'> = {
  example: researchExample,
  empty,
  valuesOf,
  fromWork,
  search: [],
  Form: ResearchForm,
  result: ({ request, result, goal }) => {
    const view = viewOf(researchResult, result);
    return view === null ? null : <ResearchResult result={view} request={request} goal={goal} />;
  },
  input: () => null,
};
