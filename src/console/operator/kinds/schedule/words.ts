/** What the form and the result of a schedule mission say, in every language. */
import { same, type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

export const words = translated({
  name: ['Schedule', 'Ordonnancement'],
  about: [
    'Jobs on machines, finished as early as possible or with the least delay.',
    'Des travaux sur des machines, au plus tôt ou avec le moins de retard.',
  ],
  fields: {
    jobs: {
      label: ['Jobs', 'Travaux'],
      one: ['job', 'travail'],
      hint: [
        'A row for each operation; the rows of a job are its operations in order. Earliest start, due and weight may stand in any of them.',
        'Une ligne par opération ; les lignes d’un travail sont ses opérations dans l’ordre. Début au plus tôt, échéance et poids peuvent être dans l’une d’elles.',
      ],
      members: {
        id: { label: ['Id', 'Identifiant'] },
        title: { label: ['Title', 'Titre'] },
        operations: {
          label: ['Operations', 'Opérations'],
          one: ['operation', 'opération'],
          members: { machine: { label: same('Machine') }, duration: { label: ['Duration', 'Durée'] } },
        },
        release: { label: ['Earliest start', 'Début au plus tôt'] },
        due: { label: ['Due', 'Échéance'] },
        weight: { label: ['Weight', 'Poids'] },
      },
    },
    objective: {
      label: ['Objective', 'But'],
      options: {
        makespan: ['Finish as early as possible', 'Finir au plus tôt'],
        weighted_tardiness: ['Least weighted delay', 'Le moins de retard pondéré'],
      },
    },
    unit: { label: ['Unit', 'Unité'] },
    start: {
      label: ['Start', 'Début'],
      hint: ['Such as 2026-12-07 08:00, if the times are dates', 'Comme 2026-12-07 08:00, si les temps sont des dates'],
    },
    calendar: {
      label: ['Open hours', 'Heures d’ouverture'],
      hint: [
        'A line for days or a date: “mon-fri 08:00-12:00 13:00-17:00”, “2026-12-24 08:00-12:00”, “2026-12-25 closed”. With a start only; without open hours all hours are open.',
        'Une ligne par jours ou par date : « lun-ven 08:00-12:00 13:00-17:00 », « 2026-12-24 08:00-12:00 », « 2026-12-25 fermé ». Seulement avec un début ; sans elles, toutes les heures sont ouvertes.',
      ],
    },
  },
  result: {
    makespan: ['Makespan', 'Durée totale'],
    until: (unit: string, end: string) => [`${unit}, until ${end}`, `${unit}, jusqu’au ${end}`],
    tardiness: ['Weighted tardiness', 'Retard pondéré'],
    weighted: (unit: string) => [`weighted ${unit}`, `${unit}, pondéré`],
    lowerBound: ['Lower bound', 'Borne inférieure'],
    late: (late: string, due: string) => [`Late: ${late} of ${due} with a due time`, `En retard : ${late} sur ${due} à échéance`],
    chart: ['Machines over time', 'Machines dans le temps'],
    chartAlt: (machines: string, jobs: string, makespan: string) => [
      `Gantt chart: ${jobs} jobs on ${machines} machines, the last one ends at ${makespan}.`,
      `Diagramme de Gantt : ${jobs} travaux sur ${machines} machines, le dernier finit à ${makespan}.`,
    ],
    machine: same('Machine'),
    job: ['Job', 'Travail'],
    start: ['Start', 'Début'],
    end: ['End', 'Fin'],
    due: ['Due', 'Échéance'],
    lateBy: (unit: string, isOnClock: boolean) => [
      `Late by, ${unit}${isOnClock ? ' of working time' : ''}`,
      `Retard, ${unit}${isOnClock ? ' de temps de travail' : ''}`,
    ],
    lateJobs: ['Why jobs are late', 'Pourquoi des travaux sont en retard'],
    waitsFor: ['Waits for', 'Attend'],
    waitsForNone: ['no other job', 'aucun autre travail'],
    waiting: (job: string, machine: string, start: string, end: string) => [
      `${job} on ${machine} (${start} to ${end})`,
      `${job} sur ${machine} (${start} à ${end})`,
    ],
    inTime: ['on time', 'à temps'],
    operations: ['Operations', 'Opérations'],
    jobs: ['Jobs', 'Travaux'],
    pick: ['Highlight a job', 'Mettre un travail en évidence'],
    operationLabel: ['Operation', 'Opération'],
    reading: (job: string, machine: string, start: string, end: string) => [
      `${job} on ${machine}: from ${start} to ${end}`,
      `${job} sur ${machine} : de ${start} à ${end}`,
    ],
    lanes: ['Machine and the share of time that it works', 'Machine et part du temps où elle travaille'],
    time: (unit: string) => [`Time, ${unit}`, `Temps, ${unit}`],
    clock: (hasClosed: boolean) => (hasClosed ? ['Open hours', 'Heures ouvertes'] : ['Date and time', 'Date et heure']),
    date: (hasClosed: boolean) => (hasClosed ? ['Open days', 'Jours ouverts'] : ['Date', 'Date']),
    closed: ['closed: work pauses and goes on after it', 'fermé : le travail s’arrête et reprend ensuite'],
    closedFrom: (from: string, to: string) => [`Closed from ${from} to ${to}`, `Fermé du ${from} au ${to}`],
  },
} satisfies TextsOf<KindWords<'schedule'>>);
