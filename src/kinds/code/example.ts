import type { Example } from '../works.js';

/** @param visits ranges of minutes, such as `0..30 20..50` */
const caseOf = (visits: string, gap: number, expected: number) => ({
  args: [visits.split(' ').flatMap((visit) => (visit === '' ? [] : [visit.split('..').map(Number)])), gap],
  expected,
});

export const codeExample: Example<'code'> = {
  goal: 'Implement solve(visits, gap): given [start, end] minutes of visits to a reading room, join visits that overlap or lie at most gap minutes apart and return the total of the joined spans. The cases are constructed for illustration.',
  work: {
    kind: 'code',
    language: 'python',
    examples: [caseOf('0..30 20..50', 0, 50), caseOf('0..10 15..25', 5, 25), caseOf('0..10 15..25', 4, 20)],
    heldout: [
      caseOf('', 10, 0),
      caseOf('5..5', 0, 0),
      caseOf('60..90 0..30 31..59', 1, 90),
      caseOf('0..100 10..20 30..40', 0, 100),
      caseOf('0..10 10..20 40..45', 0, 25),
      caseOf('-20..-5 -5..15', 0, 35),
      caseOf('0..10 11..20 22..30', 1, 28),
    ],
    candidate:
      'def solve(visits, gap):\n    """Total time covered by the intervals, joining those at most `gap` apart."""\n    total = 0\n    start = end = None\n    for low, high in sorted(visits):\n        if start is None:\n            start, end = low, high\n        elif low <= end + gap:\n            end = max(end, high)\n        else:\n            total += end - start\n            start, end = low, high\n    if start is not None:\n        total += end - start\n    return total\n',
  },
};
