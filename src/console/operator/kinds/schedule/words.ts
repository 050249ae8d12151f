/** What the form and the result of a schedule mission say, in every language. */
import type { Translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Schedule',
  about: 'Jobs on machines, finished as early as possible or with the least delay.',
  fields: {
    jobs: {
      label: 'Jobs',
      one: 'job',
      members: {
        id: { label: 'Id' },
        title: { label: 'Title' },
        operations: {
          label: 'Operations',
          one: 'operation',
          members: { machine: { label: 'Machine' }, duration: { label: 'Duration' } },
        },
        release: { label: 'Earliest start' },
        due: { label: 'Due' },
        weight: { label: 'Weight' },
      },
    },
    objective: {
      label: 'Objective',
      options: { makespan: 'Finish as early as possible', weighted_tardiness: 'Least weighted delay' },
    },
    unit: { label: 'Unit' },
    start: { label: 'Start', hint: 'Such as 2026-12-07 08:00, if the times are dates' },
    calendar: {
      label: 'Open hours',
      hint: 'A line for days or a date: “mon-fri 08:00-12:00 13:00-17:00”, “2026-12-24 08:00-12:00”, “2026-12-25 closed”. With a start only; without open hours all hours are open.',
    },
  },
  form: {
    rowsHint:
      'A row for each operation; the rows of a job are its operations in order. Earliest start, due and weight may stand in any of them.',
  },
  result: {
    makespan: 'Makespan',
    until: (unit: string, end: string) => `${unit}, until ${end}`,
    tardiness: 'Weighted tardiness',
    lowerBound: 'Lower bound',
    late: (late: string, due: string) => `${late} of ${due} jobs with a due time are late`,
    chart: 'Machines over time',
    chartAlt: (machines: string, jobs: string, makespan: string) =>
      `Gantt chart: ${jobs} jobs on ${machines} machines, the last one ends at ${makespan}.`,
    machine: 'Machine',
    job: 'Job',
    start: 'Start',
    end: 'End',
    due: 'Due',
    lateBy: 'Late by',
    whyLate: 'Why jobs are late',
    waitsFor: 'Waits for',
    waitsForNone: 'no other job',
    waiting: (job: string, machine: string, start: string, end: string) => `${job} on ${machine} (${start} to ${end})`,
    inTime: 'on time',
    operations: 'Operations',
    jobs: 'Jobs',
    pick: 'Highlight a job',
    operationLabel: 'Operation',
    reading: (job: string, machine: string, start: string, end: string) => `${job} on ${machine}: from ${start} to ${end}`,
    lanes: 'Machine and the share of time that it works',
    time: (unit: string) => `Time, ${unit}`,
    clock: 'Open hours',
    date: 'Open days',
    closed: 'closed: work pauses and goes on after it',
    closedFrom: (from: string, to: string) => `Closed from ${from} to ${to}`,
  },
} satisfies KindWords<'schedule'>;

const fr: typeof en = {
  name: 'Ordonnancement',
  about: 'Des travaux sur des machines, au plus tôt ou avec le moins de retard.',
  fields: {
    jobs: {
      label: 'Travaux',
      one: 'travail',
      members: {
        id: { label: 'Identifiant' },
        title: { label: 'Titre' },
        operations: {
          label: 'Opérations',
          one: 'opération',
          members: { machine: { label: 'Machine' }, duration: { label: 'Durée' } },
        },
        release: { label: 'Début au plus tôt' },
        due: { label: 'Échéance' },
        weight: { label: 'Poids' },
      },
    },
    objective: { label: 'But', options: { makespan: 'Finir au plus tôt', weighted_tardiness: 'Le moins de retard pondéré' } },
    unit: { label: 'Unité' },
    start: { label: 'Début', hint: 'Comme 2026-12-07 08:00, si les temps sont des dates' },
    calendar: {
      label: 'Heures d’ouverture',
      hint: 'Une ligne par jours ou par date : « lun-ven 08:00-12:00 13:00-17:00 », « 2026-12-24 08:00-12:00 », « 2026-12-25 fermé ». Seulement avec un début ; sans elles, toutes les heures sont ouvertes.',
    },
  },
  form: {
    rowsHint:
      'Une ligne par opération ; les lignes d’un travail sont ses opérations dans l’ordre. Début au plus tôt, échéance et poids peuvent être dans l’une d’elles.',
  },
  result: {
    makespan: 'Durée totale',
    until: (unit, end) => `${unit}, jusqu’au ${end}`,
    tardiness: 'Retard pondéré',
    lowerBound: 'Borne inférieure',
    late: (late, due) => `${late} travaux à échéance sur ${due} sont en retard`,
    chart: 'Machines dans le temps',
    chartAlt: (machines, jobs, makespan) =>
      `Diagramme de Gantt : ${jobs} travaux sur ${machines} machines, le dernier finit à ${makespan}.`,
    machine: 'Machine',
    job: 'Travail',
    start: 'Début',
    end: 'Fin',
    due: 'Échéance',
    lateBy: 'Retard',
    whyLate: 'Pourquoi des travaux sont en retard',
    waitsFor: 'Attend',
    waitsForNone: 'aucun autre travail',
    waiting: (job, machine, start, end) => `${job} sur ${machine} (${start} à ${end})`,
    inTime: 'à temps',
    operations: 'Opérations',
    jobs: 'Travaux',
    pick: 'Mettre un travail en évidence',
    operationLabel: 'Opération',
    reading: (job, machine, start, end) => `${job} sur ${machine} : de ${start} à ${end}`,
    lanes: 'Machine et part du temps où elle travaille',
    time: (unit) => `Temps, ${unit}`,
    clock: 'Heures ouvertes',
    date: 'Jours ouverts',
    closed: 'fermé : le travail s’arrête et reprend ensuite',
    closedFrom: (from, to) => `Fermé du ${from} au ${to}`,
  },
};

export const words: Translated<typeof en> = { en, fr };
