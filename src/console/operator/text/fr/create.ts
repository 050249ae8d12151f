/** French: a new mission. */
import type { create as Create } from '../en/create.js';

export const create: typeof Create = {
  title: 'Nouvelle mission',
  lead: 'Une nouvelle mission attend dans la file. Rien ne s’exécute avant que vous le demandiez.',
  how: 'Comment décrire la mission',
  byForm: 'Par formulaire',
  byFile: 'Par fichier',
  kind: 'Type',
  unavailable: 'Indisponible',
  fields: {
    goal: {
      label: 'Objectif',
      hint: 'Ce que vous voulez savoir, de 3 à 2000 caractères. Il est enregistré dans un événement signé : pas de données personnelles.',
    },
    seed: { label: 'Graine' },
    population: { label: 'Population' },
    generations: { label: 'Générations' },
  },
  loadExample: 'Charger un exemple',
  exampleLoaded: 'Exemple chargé. Changez ce que vous voulez.',
  undoExample: 'Annuler : remettre ce qui était saisi',
  search: 'Réglages de la recherche',
  notJson: 'n’est pas du JSON valide',
  submit: 'Mettre la mission en file',
  submitRun: 'Mettre en file et exécuter',
  saveFile: 'Enregistrer comme fichier de mission',
  drop: 'Déposez ici un fichier de mission, ou choisissez-en un',
  dropHint: 'Un objet JSON de 512 Kio au plus. Pour obtenir un exemple de chaque type, exécutez agent-cli examples.',
  tooLarge: 'Le fichier dépasse 512 Kio.',
  fileBad: 'pas un fichier de mission valide',
  fileGood: (kind) => `mission valide (${kind}), prête à être mise en file`,
  otherFile: 'Choisir un autre fichier',
  queued: 'Mission mise en file.',
};
