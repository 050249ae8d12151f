/** French: a new mission. */
import type { create as Create } from '../en/create.js';

export const create: typeof Create = {
  title: 'Nouvelle mission',
  lead: 'Une mission est mise en file puis attend : rien ne s’exécute tout seul.',
  how: 'Comment',
  byForm: 'Par formulaire',
  byFile: 'Par fichier',
  kind: 'Type',
  fields: {
    goal: {
      label: 'Objectif',
      hint: 'Ce que vous voulez savoir, de 3 à 2000 caractères. Il figure dans un événement signé : pas de données personnelles.',
    },
    seed: { label: 'Graine' },
    population: { label: 'Population' },
    generations: { label: 'Générations' },
  },
  search: 'Réglages de la recherche',
  notJson: 'n’est pas du JSON',
  submit: 'Mettre la mission en file',
  submitRun: 'Mettre en file et exécuter',
  saveFile: 'Enregistrer comme fichier de mission',
  file: 'Fichier de mission',
  drop: 'Déposez ici un fichier de mission, ou choisissez-en un',
  dropHint: 'Un objet JSON de 512 Kio au plus. agent-cli examples en écrit un de chaque type.',
  choose: 'Choisir un fichier',
  tooLarge: 'Le fichier dépasse 512 Kio.',
  fileBad: 'Ce fichier n’est pas une mission',
  fileGood: (kind) => `Une mission de type ${kind}, prête à être mise en file`,
  otherFile: 'Un autre fichier',
  queued: 'La mission a été mise en file.',
};
