import type { Example } from '../works.js';

export const allocationExample: Example<'allocation'> = {
  goal: "Choose next year's programme of a county library network within 420000 euros and 26 points of delivery risk. Value is a panel's score of benefit to visitors. At most one project of a group; projects may require or exclude others. The figures are constructed for illustration.",
  work: {
    kind: 'allocation',
    budget: 420000,
    max_risk: 26,
    unit: 'euros; value in panel points',
    items: [
      { id: 'extended_hours_weekday', cost: 84000, value: 61, risk: 3, group: 'hours' },
      { id: 'extended_hours_weekend', cost: 67000, value: 57, risk: 3, group: 'hours' },
      { id: 'extended_hours_all', cost: 138000, value: 96, risk: 6, group: 'hours' },
      { id: 'bookmobile_electric', cost: 156000, value: 88, risk: 7, group: 'bookmobile' },
      { id: 'bookmobile_refit', cost: 72000, value: 49, risk: 5, group: 'bookmobile' },
      { id: 'village_stops', cost: 31000, value: 44, risk: 2, requires: ['bookmobile_refit'] },
      { id: 'self_service_terminals', cost: 58000, value: 47, risk: 3 },
      { id: 'open_library_nights', cost: 42000, value: 52, risk: 8, requires: ['self_service_terminals', 'door_access_system'] },
      { id: 'door_access_system', cost: 29000, value: 12, risk: 2 },
      { id: 'reading_tutors', cost: 64000, value: 79, risk: 2 },
      { id: 'homework_club', cost: 38000, value: 46, risk: 1, requires: ['reading_tutors'] },
      { id: 'seed_and_tool_library', cost: 17000, value: 19, risk: 2 },
      { id: 'maker_room', cost: 92000, value: 66, risk: 6, excludes: ['quiet_study_floor'] },
      { id: 'quiet_study_floor', cost: 76000, value: 58, risk: 2, excludes: ['maker_room'] },
      { id: 'local_archive_scans', cost: 53000, value: 34, risk: 1 },
      { id: 'archive_workshops', cost: 14000, value: 21, risk: 1, requires: ['local_archive_scans'] },
      { id: 'language_cafe', cost: 22000, value: 33, risk: 1 },
      { id: 'coin_lockers', cost: 9000, value: 5, risk: 1 },
    ],
  },
};
