/** Allocation missions in the console. */
import { allocationExample } from '../../../../kinds/allocation/example.js';
import { allocationInputs, allocationRequest, allocationResult } from '../../../../kinds/allocation/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { AllocationResult } from './result.js';

export const allocation: KindView<'allocation'> = {
  example: allocationExample,
  form,
  search: ['effort'],
  result: ({ request, result }) => {
    const view = viewOf(allocationResult, result);
    return view === null ? null : <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  },
  inputs: allocationInputs,
};
