/**
 * The names by which the columns of people's tables are found, in one table: the reference of columns is written from it. The first names of a
 * member win over later ones. Case, accents, spaces, punctuation and a unit in parentheses do not count.
 */
import { fold } from '../cells/fold.js';

export type TableKind = 'forecast' | 'schedule' | 'allocation';

export type ColumnMember = Readonly<ReturnType<typeof member>>;

const member = (name: string, needed: boolean, meaning: string, english: string, french: string, german: string) => ({
  name,
  /** Whether a mission needs the column. */
  needed,
  /** What it becomes, for people. */
  meaning,
  english: english.split(', '),
  french: french.split(', '),
  german: german.split(', '),
});

export const columnMembers: Readonly<Record<TableKind, readonly ColumnMember[]>> = {
  forecast: [
    member(
      'date',
      false,
      'the date of each value, or its year, month, day, quarter, week or time in columns of their own (hours 1 to 24 are those that end then); without these names the first column in which every cell is a date',
      'date, day, week, month, quarter, year, period, time, timestamp, datetime, date time, ds, calmonth, calday, fiscal period, row labels, posting date, booking date, order date, invoice date, transaction date',
      'date, jour, semaine, mois, trimestre, année, période, heure, horodatage, date de commande, date de facture, date d’opération, étiquettes de lignes',
      'Datum, Tag, Woche, KW, Monat, Quartal, Jahr, Zeitraum, Periode, Zeit, Zeitpunkt, Uhrzeit, Buchungstag, Buchungsdatum, Rechnungsdatum, Belegdatum, Zeilenbeschriftungen',
    ),
    member(
      'value',
      true,
      'the values; without these names the only column of numbers, otherwise a choice',
      'value, y, observation, observations',
      'valeur, valeurs, observation',
      'Wert, Werte, Beobachtung',
    ),
    member(
      'regressor',
      false,
      'what is known beforehand, such as prices, or promotions as 1 and 0, yes and no, or x and blank cells, also for the rows ahead, which have no value yet; any number of columns, each only where it is said (--map "COLUMN=regressor")',
      'regressor',
      'régresseur',
      'Regressor',
    ),
  ],
  schedule: [
    member(
      'job',
      true,
      'rows of the same job are its operations; the title of the job',
      'job, job id, job no, job number, job name, order, work order, order no, order number, production order, batch, batch no, lot, part, part no, product, item, task, task name, activity',
      'tâche, ordre, ordre de fabrication, OF, n° OF, commande, n° de commande, lot, pièce, produit, article, travail',
      'Auftrag, Auftragsnummer, Auftrags-Nr, Auftrag Nr, Fertigungsauftrag, FA, Los, Charge, Teil, Produkt, Artikel, Vorgang',
    ),
    member(
      'step',
      false,
      'the order of the operations of a job, as numbers; without it the order of the rows',
      'step, step no, operation, operation no, op, op no, sequence, seq, position, pos',
      'étape, opération, n° opération, séquence, gamme, phase',
      'Schritt, Arbeitsgang, AG, AVO, Arbeitsvorgang, Position, Reihenfolge, Folge',
    ),
    member(
      'machine',
      true,
      'the machine of the operation; its title',
      'machine, machine name, work centre, work center, workcentre, workcenter, wc, station, work station, workstation, resource, resource name, resource names, equipment, line, assigned to, assignee, crew',
      'machine, poste, poste de travail, poste de charge, centre de charge, ressource, équipement, ligne, atelier',
      'Maschine, Arbeitsplatz, Arbeitsplatzgruppe, Station, Anlage, Ressource, Linie, Betriebsmittel',
    ),
    member(
      'duration',
      true,
      'the time of the operation: 1:30, 90 min, 1.5 h, 2 d, or a number in the unit of the header, otherwise in minutes',
      'duration, minutes, mins, min, hours, hrs, days, time, run time, runtime, processing time, process time, cycle time, operation time, planned time, standard time, machine time, run, work',
      'durée, minutes, heures, jours, temps, temps opératoire, temps de travail, temps gamme, charge',
      'Dauer, Minuten, Stunden, Tage, Zeit, Bearbeitungszeit, Fertigungszeit, Laufzeit, Vorgabezeit, Sollzeit',
    ),
    member(
      'release',
      false,
      'the earliest start of the job: a date and time, or a time since the start',
      'release, release date, earliest start, available, available from, ready, ready at, start after, not before',
      'début au plus tôt, disponible, disponible le, disponible à partir de, date de lancement, lancement',
      'Freigabe, frühester Start, frühester Beginn, frühestens, verfügbar ab, frei ab',
    ),
    member(
      'due',
      false,
      'when the job should be finished: a date and time, or a time since the start',
      'due, due date, due time, deadline, due by, required by, needed by, delivery date, ship date, promised date',
      'échéance, date d’échéance, date limite, délai, à livrer le, date de livraison, livraison',
      'fällig, fällig am, Fälligkeit, Termin, Endtermin, Liefertermin, Lieferdatum, spätestens, Wunschtermin',
    ),
    member(
      'weight',
      false,
      'how much a late job counts; a priority with numbers counts too, higher is more important',
      'weight, priority, prio, importance',
      'poids, priorité, importance',
      'Gewicht, Gewichtung, Priorität, Prio',
    ),
  ],
  allocation: [
    member(
      'id',
      false,
      'a reference that other rows use; the id of the item where it is a valid one',
      'id, ref, reference, ref no, key, code, no, number, application no, app no, proposal no, project no, project id',
      'id, réf, référence, n°, numéro, code, clé, n° de dossier, n° dossier, dossier',
      'ID, Nr, Nummer, Kennung, Kennzeichen, Referenz, Aktenzeichen, AZ, Antragsnummer, Projektnummer, Code',
    ),
    member(
      'title',
      true,
      'the title of the item; needed where there is no reference',
      'title, name, project, project title, project name, proposal, application, item, initiative, measure, description',
      'intitulé, titre, nom, projet, proposition, demande, libellé, désignation, action, mesure, description',
      'Titel, Name, Projekt, Projekttitel, Vorhaben, Antrag, Bezeichnung, Maßnahme, Beschreibung',
    ),
    member(
      'cost',
      true,
      'what the item takes from the budget; its unit is that of the mission',
      'cost, costs, total cost, estimated cost, project cost, amount, amount requested, requested amount, total requested, grant amount, budget requested, requested budget, funding requested, requested, ask, grant, price, budget, funding, capex, investment',
      'coût, coûts, coût total, montant, montant demandé, prix, budget, subvention, dépense',
      'Kosten, Gesamtkosten, Kosten gesamt, Betrag, Summe, Fördersumme, beantragt, beantragter Betrag, Preis, Budget, Aufwand',
    ),
    member(
      'value',
      true,
      'what the item is worth',
      'value, score, total score, evaluation score, average score, avg score, mean score, final score, overall score, weighted score, average, mean, benefit, npv, points, rating, utility, impact, mark, grade, merit',
      'valeur, note, score, points, bénéfice, utilité, intérêt, impact, évaluation',
      'Wert, Nutzen, Punkte, Punktzahl, Bewertung, Score, Note, Wirkung',
    ),
    member(
      'risk',
      false,
      'the risk of the item; words are a choice (--scale)',
      'risk, risk score, risk level',
      'risque, niveau de risque',
      'Risiko, Risikostufe',
    ),
    member(
      'group',
      false,
      'at most one item of a group is chosen',
      'group, exclusive group, one of',
      'groupe, groupe exclusif',
      'Gruppe, Ausschlussgruppe',
    ),
    member(
      'requires',
      false,
      'the items that must be chosen with this one, separated by commas or semicolons',
      'requires, require, needs, depends on, depends, dependency, dependencies, prerequisite, prerequisites, only with',
      'nécessite, requiert, dépend de, dépendance, dépendances, prérequis, seulement avec',
      'benötigt, braucht, erfordert, setzt voraus, Voraussetzung, Voraussetzungen, hängt ab von, nur mit',
    ),
    member(
      'excludes',
      false,
      'the items that cannot be chosen with this one, separated by commas or semicolons',
      'excludes, exclude, not with, conflicts, conflicts with, incompatible with, exclusive with, instead of',
      'exclut, exclus, incompatible avec, pas avec, en conflit avec, sauf avec',
      'schließt aus, nicht mit, unvereinbar mit, Konflikt mit, statt',
    ),
    member(
      'required',
      false,
      'whether the item must be chosen: yes, x, true or 1; no, false, 0 or a blank cell where it need not be',
      'required, mandatory, must, must have, must be chosen, must fund, compulsory, committed',
      'obligatoire, requis, impératif, à retenir, doit être choisi',
      'Pflicht, verpflichtend, erforderlich, zwingend, obligatorisch, muss',
    ),
  ],
};

/** Returns whether missions of a kind are made from a table. */
export const isTableKind = (kind: string): kind is TableKind => Object.hasOwn(columnMembers, kind);

const ranks = new Map<TableKind, Map<string, { readonly member: string; readonly rank: number }>>();

/** Returns the member that a header names, and how early in the list of its names it stands; null for another header. */
export function memberOf(kind: TableKind, header: string): { readonly member: string; readonly rank: number } | null {
  const known = ranks.get(kind) ?? new Map<string, { readonly member: string; readonly rank: number }>();
  if (!ranks.has(kind)) {
    for (const { name, english, french, german } of columnMembers[kind]) {
      for (const names of [[name], english, french, german]) {
        names.forEach((each, rank) => {
          if (!known.has(fold(each))) known.set(fold(each), { member: name, rank });
        });
      }
    }
    ranks.set(kind, known);
  }
  return known.get(fold(header)) ?? null;
}
