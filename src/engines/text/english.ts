/** Frozen word lists for English text, lower case. Data only: the research engine and its verifier each read it their own way. */

/** Abbreviations that never end a sentence: a name, a number or an example follows. */
export const never_final: readonly string[] = words(
  'mr mrs ms dr prof st messrs mme mlle gen col sgt capt cmdr lt maj adm rev fr hon sen rep gov pres supt det insp ' +
    'e.g i.e cf viz vs v al ca approx ed eds trans resp incl excl dept univ assn bros mt',
);

/** Abbreviations that end a sentence unless a number follows. */
export const before_number: readonly string[] = words(
  'no nos vol vols fig figs p pp art arts sec secs ch chap eq eqs para pt jan feb mar apr jun jul aug sep sept oct nov dec b d c r',
);

/** Abbreviations that end a sentence only when a word that often starts one follows. */
export const sometimes_final: readonly string[] = words(
  'inc ltd co corp llc plc jr sr esq etc a.m p.m am pm ave blvd rd hwy est min max avg ft lb lbs oz kg km cm mm hr hrs sq ph.d',
);

/** Capitalised words that often start a sentence. */
export const starters: readonly string[] = words(
  'the a an it its he she his her they their we our you i this that these those there in on at as for from by with to of and but ' +
    'or so yet however although though while when where who what why how if after before since during under once because each ' +
    'every some many most several all both one two no not another other such thus then also finally moreover meanwhile today later',
);

/** Words that carry no topic: left out of the index. */
export const stop_words: readonly string[] = words(
  'a about above after again against all also am an and any are as at be because been before being below between both but by can ' +
    'could did do does doing down during each few for from further had has have having he her here hers him his how i if in into ' +
    'is it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so some ' +
    'such t than that the their them then there these they this those through to too under until up us very was we were what ' +
    'when where whether which while who whom whose why will with would you your',
);

/** Inflections in the order in which they are tried: ending, replacement, and the letters that must remain before the ending. */
export const endings: readonly (readonly [string, string, number])[] = [
  ['sses', 'ss', 1],
  ['ies', 'y', 2],
  ['ied', 'y', 2],
  ['ss', 'ss', 1],
  ['us', 'us', 1],
  ['is', 'is', 1],
  ['s', '', 3],
];

/** Endings that are cut after the inflections, under the same rules. */
export const suffixes: readonly (readonly [string, string, number])[] = [
  ['ingly', '', 3],
  ['edly', '', 3],
  ['ing', '', 3],
  ['ed', '', 3],
  ['ly', '', 4],
];

/** Irregular forms and numerals: each entry a base form and the forms that are read as it. */
export const irregular: readonly (readonly string[])[] = (
  'begin began begun, bear bore born borne, become became, break broke broken, bring brought, build built, buy bought, ' +
  'catch caught, choose chose chosen, come came, deal dealt, draw drew drawn, drive drove driven, eat ate eaten, ' +
  'fall fell fallen, feed fed, feel felt, fight fought, find found, fly flew flown, forget forgot forgotten, get got gotten, ' +
  'give gave given, go went gone, grow grew grown, hear heard, hide hid hidden, hold held, keep kept, know knew known, ' +
  'lay laid, lead led, leave left, lend lent, lose lost, make made, mean meant, meet met, pay paid, ride rode ridden, ' +
  'rise rose risen, run ran, say said, see saw seen, sell sold, send sent, sing sang sung, sit sat, speak spoke spoken, ' +
  'spend spent, stand stood, steal stole stolen, strike struck, swim swam swum, take took taken, teach taught, tell told, ' +
  'think thought, throw threw thrown, understand understood, wear wore worn, win won, write wrote written, man men, ' +
  'woman women, child children, person people, foot feet, 2 two, 3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, ' +
  '10 ten, 11 eleven, 12 twelve'
)
  .split(', ')
  .map(words);

/** Phrases of a question whose answer holds a figure or a date. */
export const figure_questions: readonly string[] = [
  ...words('when'),
  ...words('many much long old far often large big high tall fast').map((word) => `how ${word}`),
  ...words('year date day month time century decade number percent percentage').flatMap((word) => [
    `what ${word}`,
    `which ${word}`,
  ]),
];

/** Words of a question whose answer names someone, or a place; and how many new names an answer then holds at least. */
export const name_questions: readonly (readonly [string, number])[] = [
  ['who', 2],
  ['whom', 2],
  ['whose', 2],
  ['where', 1],
];

function words(list: string): string[] {
  return list.split(' ');
}
