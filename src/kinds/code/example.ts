import type { Example } from '../works.js';

export const codeExample: Example<'code'> = {
  goal: 'Implement solve(visits, gap): given [start, end] minutes of visits to a reading room, join visits that overlap or lie at most gap minutes apart and return the total of the joined spans. The cases are constructed for illustration.',
  work: {
    kind: 'code',
    language: 'python',
    examples: [
      {
        args: [
          [
            [0, 30],
            [20, 50],
          ],
          0,
        ],
        expected: 50,
      },
      {
        args: [
          [
            [0, 10],
            [15, 25],
          ],
          5,
        ],
        expected: 25,
      },
      {
        args: [
          [
            [0, 10],
            [15, 25],
          ],
          4,
        ],
        expected: 20,
      },
    ],
    heldout: [
      { args: [[], 10], expected: 0 },
      { args: [[[5, 5]], 0], expected: 0 },
      {
        args: [
          [
            [60, 90],
            [0, 30],
            [31, 59],
          ],
          1,
        ],
        expected: 90,
      },
      {
        args: [
          [
            [0, 100],
            [10, 20],
            [30, 40],
          ],
          0,
        ],
        expected: 100,
      },
      {
        args: [
          [
            [0, 10],
            [10, 20],
            [40, 45],
          ],
          0,
        ],
        expected: 25,
      },
      {
        args: [
          [
            [-20, -5],
            [-5, 15],
          ],
          0,
        ],
        expected: 35,
      },
      {
        args: [
          [
            [0, 10],
            [11, 20],
            [22, 30],
          ],
          1,
        ],
        expected: 28,
      },
    ],
    candidate:
      'def solve(visits, gap):\n    """Total time covered by the intervals, joining those at most `gap` apart."""\n    total = 0\n    start = end = None\n    for low, high in sorted(visits):\n        if start is None:\n            start, end = low, high\n        elif low <= end + gap:\n            end = max(end, high)\n        else:\n            total += end - start\n            start, end = low, high\n    if start is not None:\n        total += end - start\n    return total\n',
  },
};
