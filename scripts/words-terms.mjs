/**
 * The words that the project does not use in texts that people read, with the words that it uses instead. `docs/glossary.md` explains the words that it uses.
 * `sample` is a sentence that the pattern must find; where a word is right in some uses, the pattern names the wrong ones.
 */
const term = (use, pattern, sample) => ({ use, pattern, sample, language: 'en' });
/** `\b` knows no accented letters. */
const terme = (use, source, sample) => ({
  use,
  pattern: new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu'),
  sample,
  language: 'fr',
});

export const terms = [
  term(
    'queue, run queue',
    /\b(?:in|into|to|joins?|leaves?|stands? in|waits? in|waiting) (?:a|one|the|its|their) line\b(?! of)/i,
    'The run waits for its turn in one line.',
  ),
  term('heartbeat', /(?<!heart)\bbeat(?:s|ing)?\b|\bheart beats?\b/i, 'Seconds since the last beat.'),
  term(
    'unresponsive',
    /\bsilence\b|\b(?:is|are|goes|went|fell|stays?|agents?) silent\b|\bsilent (?:agent|worker|for)/i,
    'A silent agent is restarted.',
  ),
  term('unresponsive, restarted', /\bstops? beating\b/i, 'One that stops beating is restarted.'),
  term('run, since the start', /\b(?:in|of|for) (?:a|its|one|this) life\b/i, 'The runs of one life.'),
  term('progress', /\btracks? of (?:a|the|this) run\b|\brun tracks?\b|\bthe track\b/i, 'The run tracks are shown.'),
  term(
    'stage',
    /\b(?:a|the|each|one|every) pass through\b|\bfirst pass\b|\bgo(?:es)? through the (?:individuals|stages)\b/i,
    'Go through the individuals',
  ),
  term(
    'returns, responds, prints',
    /\b(?:it|that|which|function|command|server|agent|api|page|daemon|endpoint|node|program|provider|model|witness|worker|address|nothing|route) (?:\w+ )?answer(?:s|ed)\b(?! (?:the|your|a) (?:goal|question))/i,
    'The server answers 404.',
  ),
  term('responded', /\banswered\b(?!, cut)/i, 'The node answered with status 500.'),
  term(
    'response',
    /\b(?:no|an?|the|its|their|this|that|whose|empty|other|late|wrong|large|chunked) answers?\b(?! (?:to |the |your |an? )*(?:goal|question))/i,
    'No answer from the node.',
  ),
  term('is, is in, is recorded in', /\bstands?\b(?! (?:for|alone|by|out)\b)/i, 'Nothing stands at "x".'),
  term('fix, repair', /\bmend(?:s|ed|ing)?\b/i, 'The doctor says what mends it.'),
  term('in review, needs review', /\b(?:waits?|waiting) (?:for|in) (?:a |its |your )?(?:review|decision)\b/i, 'Waits for review'),
  term('what needs review', /\bwaits? for you\b/i, 'This console shows what waits for you.'),
  term('pending, requested', /\basked\b/i, 'The run that was asked for.'),
  term('draft, request body, arguments', /\bwhat (?:was|is) drawn\b/i, 'Look at what was drawn.'),
  term('results', /\bwhat (?:came|comes) of (?:it|them)\b/i, 'What came of it'),
  term('Pareto-optimal', /\bundominated\b/i, 'Undominated choices'),
  term('90 % interval', /\b(?:nine|\d+) draws in (?:ten|\d+)\b/i, 'nine draws in ten: 93 %'),
  term('limitations', /\b(?:does|do) not say\b/i, 'What this result does not say'),
  term('module, package', /(?<!on )\bhouse\b|\bfloors?\b/i, 'Imports stay within their floor.'),
  term('see Doctor for the fix', /\bdoctor (?:says|is content)\b|\bis content\b/i, 'Before the doctor is content.'),
  term('warning', /\bworth a look\b|\bneeds? a look\b/i, '8 fields need a look'),
  term('identical', /\b\w+ alike (?:sectors|runs|jobs)\b/i, 'six alike sectors'),
  term('lifecycle', /\b(?:a|the) (?:mission|run)[’']s (?:way|life)\b/i, "A mission's way"),
  term('could not …', /\bthat did not work\b/i, 'That did not work'),
  term('refresh', /\bask again\b/i, 'Ask again'),
  term('of anyone', /\bof anybody\b/i, 'Manifests of anybody.'),
  term('the budget, that is available', /\bthat there is\b/i, 'The effort that there is.'),
  term('rely on', /\btrust nothing\b/i, 'Trust nothing on these pages.'),
  term(
    'if you lose …',
    /^who (?:loses|copies|reads|holds)\b|[.:;] who (?:loses|copies|reads|holds)\b/i,
    'Who loses the key signs nothing more.',
  ),
  terme("file d'attente", "en ligne d['’]attente|dans la ligne", 'Elle attend dans la ligne.'),
  terme('signal, ne répond pas', 'battements?|ne bat(?:tent)? plus', "L'agent ne bat plus."),
  terme('enregistré dans le journal', 'se (?:tient|trouve|dresse) dans le journal', 'La décision se tient dans le journal.'),
  terme(
    'à examiner',
    "attend(?:ent)? (?:un |son |une |votre )?(?:examen|revue|décision)|en attente (?:d['’]examen|de revue|de décision)",
    'Mission en attente d’examen',
  ),
  terme('optimal au sens de Pareto', 'non[- ]dominée?s?', 'Choix non dominés'),
  terme('intervalle à 90 %', 'neuf tirages sur dix', 'neuf tirages sur dix'),
  terme('limites', 'ne dit pas|ce que ce résultat', 'Ce que ce résultat ne dit pas'),
  terme('entrées, résultats', 'ce qui a été demandé|ce qui en est (?:sorti|venu)', 'Ce qui a été demandé'),
  terme('page introuvable', 'rien ne se (?:tient|trouve) (?:à|sous)', 'Rien ne se trouve à « x ».'),
  terme('actualiser', 'redemander', 'Redemander'),
];
