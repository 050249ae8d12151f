/** An upper bound of the result's canonical JSON in bytes. Ids are ASCII; numbers take 25 characters at most. */
import { canonicalJson } from '../../base/canonical-json.js';
import { utf8 } from '../../base/bytes.js';
import { marksIn, top_level_marks, type Extent, type SizeBounds } from '../size.js';
import type { AllocationWork } from './work.js';
import { link_prices_max, pareto_points_max } from './constants.js';

/** Texts, member names and the single numbers of a result take less than half of this. */
const fixed_bytes = 6_000;
const number_bytes = 25;
const point_bytes = 3 * number_bytes + 30;
/** `[1999,1998,1.23456789012e-25],` and room. */
const link_bytes = 36;
/** `{"id":"","reason":"lower value"},` around an id. */
const item_bytes = 40;

function result(work: AllocationWork): Extent {
  const unit = canonicalJson(work.unit);
  let bytes = fixed_bytes + utf8(unit).length;
  let requires = 0;
  let excludes = 0;
  for (const item of work.items) {
    bytes += item.id.length + item_bytes;
    requires += item.requires?.length ?? 0;
    excludes += item.excludes?.length ?? 0;
  }
  const bitmap_bytes = Math.ceil(work.items.length / 4) + 3;
  bytes += (Math.min(requires, link_prices_max) + Math.min(excludes, link_prices_max)) * link_bytes;
  bytes += pareto_points_max * (point_bytes + bitmap_bytes) + 2 * bitmap_bytes;
  return { bytes, marks: top_level_marks + 8 * work.items.length + marksIn(unit) };
}

/** A list of item ids. */
const warmStart = ({ items }: AllocationWork): Extent => ({
  bytes: items.reduce((sum, { id }) => sum + id.length + 3, 20),
  marks: 2 + 2 * items.length,
});

export const allocationSize: SizeBounds<AllocationWork> = { result, warmStart };
