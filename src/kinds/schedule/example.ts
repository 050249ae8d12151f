import type { Example } from '../works.js';

export const scheduleExample: Example<'schedule'> = {
  goal: 'Sequence ten orders of a small print workshop over six stations so that the last one leaves as early as possible; report which orders would miss their due time. Orders, times and dates are constructed for illustration.',
  work: {
    kind: 'schedule',
    objective: 'makespan',
    unit: 'minutes',
    jobs: [
      {
        id: 'poetry_chapbooks',
        release: 0,
        due: 660,
        operations: [
          { machine: 'proof_station', duration: 35 },
          { machine: 'screen_press', duration: 60 },
          { machine: 'cutting_table', duration: 25 },
          { machine: 'binding_line', duration: 70 },
          { machine: 'packing', duration: 20 },
        ],
      },
      {
        id: 'gallery_catalogue',
        release: 0,
        due: 480,
        operations: [
          { machine: 'proof_station', duration: 55 },
          { machine: 'screen_press', duration: 95 },
          { machine: 'foil_press', duration: 40 },
          { machine: 'cutting_table', duration: 30 },
          { machine: 'binding_line', duration: 110 },
          { machine: 'packing', duration: 25 },
        ],
      },
      {
        id: 'wedding_invitations',
        release: 30,
        due: 260,
        operations: [
          { machine: 'proof_station', duration: 20 },
          { machine: 'foil_press', duration: 65 },
          { machine: 'cutting_table', duration: 35 },
          { machine: 'packing', duration: 15 },
        ],
      },
      {
        id: 'trail_maps',
        release: 0,
        due: 450,
        operations: [
          { machine: 'screen_press', duration: 80 },
          { machine: 'cutting_table', duration: 45 },
          { machine: 'packing', duration: 20 },
        ],
      },
      {
        id: 'seed_packets',
        release: 60,
        due: 570,
        operations: [
          { machine: 'screen_press', duration: 50 },
          { machine: 'cutting_table', duration: 60 },
          { machine: 'foil_press', duration: 20 },
          { machine: 'packing', duration: 45 },
        ],
      },
      {
        id: 'school_yearbook',
        release: 0,
        due: 600,
        operations: [
          { machine: 'proof_station', duration: 70 },
          { machine: 'screen_press', duration: 120 },
          { machine: 'cutting_table', duration: 40 },
          { machine: 'binding_line', duration: 130 },
          { machine: 'packing', duration: 35 },
        ],
      },
      {
        id: 'concert_posters',
        release: 90,
        due: 630,
        operations: [
          { machine: 'proof_station', duration: 25 },
          { machine: 'screen_press', duration: 75 },
          { machine: 'packing', duration: 15 },
        ],
      },
      {
        id: 'recipe_cards',
        release: 45,
        due: 410,
        operations: [
          { machine: 'screen_press', duration: 45 },
          { machine: 'foil_press', duration: 55 },
          { machine: 'cutting_table', duration: 50 },
          { machine: 'packing', duration: 30 },
        ],
      },
      {
        id: 'field_notebooks',
        release: 120,
        due: 540,
        operations: [
          { machine: 'cutting_table', duration: 35 },
          { machine: 'screen_press', duration: 40 },
          { machine: 'binding_line', duration: 95 },
          { machine: 'foil_press', duration: 30 },
          { machine: 'packing', duration: 25 },
        ],
      },
      {
        id: 'museum_labels',
        release: 75,
        due: 570,
        operations: [
          { machine: 'proof_station', duration: 30 },
          { machine: 'foil_press', duration: 45 },
          { machine: 'screen_press', duration: 35 },
          { machine: 'cutting_table', duration: 20 },
          { machine: 'packing', duration: 10 },
        ],
      },
    ],
  },
  seed: 7,
};
