import type { Example } from '../works.js';

/** @param operations machines with their durations, in the order of the job */
const job = (id: string, release: number, due: number, operations: string) => ({
  id,
  release,
  due,
  operations: operations.split(', ').map((operation) => {
    const [machine = '', duration] = operation.split(' ');
    return { machine, duration: Number(duration) };
  }),
});

export const scheduleExample: Example<'schedule'> = {
  goal: 'Sequence ten orders of a small print workshop over six stations so that the last one leaves as early as possible; report which orders would miss their due time. Orders, times and dates are constructed for illustration.',
  work: {
    kind: 'schedule',
    objective: 'makespan',
    unit: 'minutes',
    jobs: [
      job('poetry_chapbooks', 0, 660, 'proof_station 35, screen_press 60, cutting_table 25, binding_line 70, packing 20'),
      job(
        'gallery_catalogue',
        0,
        480,
        'proof_station 55, screen_press 95, foil_press 40, cutting_table 30, binding_line 110, packing 25',
      ),
      job('wedding_invitations', 30, 260, 'proof_station 20, foil_press 65, cutting_table 35, packing 15'),
      job('trail_maps', 0, 450, 'screen_press 80, cutting_table 45, packing 20'),
      job('seed_packets', 60, 570, 'screen_press 50, cutting_table 60, foil_press 20, packing 45'),
      job('school_yearbook', 0, 600, 'proof_station 70, screen_press 120, cutting_table 40, binding_line 130, packing 35'),
      job('concert_posters', 90, 630, 'proof_station 25, screen_press 75, packing 15'),
      job('recipe_cards', 45, 410, 'screen_press 45, foil_press 55, cutting_table 50, packing 30'),
      job('field_notebooks', 120, 540, 'cutting_table 35, screen_press 40, binding_line 95, foil_press 30, packing 25'),
      job('museum_labels', 75, 570, 'proof_station 30, foil_press 45, screen_press 35, cutting_table 20, packing 10'),
    ],
  },
  seed: 7,
};
