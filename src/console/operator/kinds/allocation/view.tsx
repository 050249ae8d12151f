/** Allocation missions in the console. */
import { allocationExample } from '../../../../kinds/allocation/example.js';
import { allocationRequest, allocationResult } from '../../../../kinds/allocation/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/work.js';
import { empty, fromWork, valuesOf } from './draft.js';
import { AllocationForm } from './form.js';
import { AllocationResult } from './result.js';

export const allocation: KindView<'allocation'> = {
  example: allocationExample,
  empty,
  valuesOf,
  fromWork,
  search: [],
  Form: AllocationForm,
  result: ({ request, result }) => {
    const view = viewOf(allocationResult, result);
    return view === null ? null : <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  },
  input: () => null,
};
