/** Research missions in the console. */
import { researchExample } from '../../../../kinds/research/example.js';
import { researchInputs, researchResult } from '../../../../kinds/research/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { ResearchResult } from './result.js';

export const research: KindView<'research'> = {
  example: researchExample,
  form,
  search: [],
  result: ({ request, result, goal }) => {
    const view = viewOf(researchResult, result);
    return view === null ? null : <ResearchResult result={view} request={request} goal={goal} />;
  },
  inputs: researchInputs,
};
