/**
 * Frozen word lists for English text, in lowercase. Data only: the research engine and its verifier each read it in their own
 * way.
 */
import type { Language } from './language.js';

/** Abbreviations that never end a sentence: a name, a number or an example follows. */
export const never_final: readonly string[] = words(
  'mr mrs ms dr prof st messrs mme mlle gen col sgt capt cmdr lt maj adm rev fr hon sen rep gov pres supt det insp ' +
    'e.g i.e cf viz vs v al ca approx ed eds trans resp incl excl dept univ assn bros mt',
);

/** Abbreviations that end a sentence unless a number follows. */
export const before_number: readonly string[] = words(
  'no nos vol vols fig figs p pp art arts sec secs ch chap eq eqs para pt jan feb mar apr jun jul aug sep sept oct nov dec b d c r ' +
    'mon tue tues wed thu thur thurs fri sat sun',
);

/** Abbreviations that end a sentence only when a word that often starts one follows. */
export const sometimes_final: readonly string[] = words(
  'inc ltd co corp llc plc jr sr esq etc a.m p.m am pm ave blvd rd hwy est min max avg ft lb lbs oz kg km cm mm hr hrs sq ph.d',
);

/** Units among these: after a number, they end a sentence when any capitalised word follows. */
export const units: readonly string[] = words('ft lb lbs oz kg km cm mm hr hrs min sq');

/** Capitalised words that often start a sentence. */
export const starters: readonly string[] = words(
  'the a an it its he she his her they their we our you i this that these those there in on at as for from by with to of and but ' +
    'or so yet however although though while when where who what why how if after before since during under once because each ' +
    'every some many most several all both one two no not another other such thus then also finally moreover meanwhile today later',
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

/** Endings that are removed after the inflections, under the same rules. */
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

/** Phrases of a question about a date. */
export const asked_dates: readonly string[] = [
  'when',
  ...words('year date day month time century decade').flatMap((word) => [`what ${word}`, `which ${word}`]),
];

/** Phrases of a question about a figure. */
export const asked_figures: readonly string[] = [
  ...words('many much long old far often large big high tall fast wide deep heavy hot cold').map((word) => `how ${word}`),
  ...words('number amount proportion percent percentage').flatMap((word) => [`what ${word}`, `which ${word}`]),
  'number of',
  'percentage of',
];

/** Words of a question about a person or a place, and the number of new names that an answer then holds. */
export const asked_names: readonly (readonly [string, number])[] = [
  ['who', 2],
  ['whom', 2],
  ['whose', 2],
  ['where', 1],
];

export const months: readonly string[] = words(
  'january february march april may june july august september october november december',
);

/** Words for numbers besides those that are read as digits. */
export const number_words: readonly string[] = words('half third twice dozen hundred thousand million billion');

export const ordinals: readonly string[] = words('first second third fourth fifth sixth seventh eighth ninth tenth');

/**
 * Classes of everyday words that may replace one another, as in a general thesaurus; none is specific to a subject. A word may be
 * in several classes.
 */
export const synonyms: readonly (readonly string[])[] = (
  'begin start commence open launch, end finish conclude close stop cease, buy purchase acquire, sell trade, ' +
  'win defeat beat victory, lose loss defeat, show display exhibit, large big great huge, small little tiny, ' +
  'city town municipality, author write writer, film movie, country nation, cost price expense fee charge, ' +
  'pay salary wage earn income, job occupation profession work employment career, die death kill, birth born, ' +
  'song single track, study research investigation, build construct erect, building structure edifice, ' +
  'make create produce manufacture, found establish create form, choose select pick elect appoint, lead head command direct, ' +
  'leader chief head, name call term title, say state declare announce claim, speak talk language, ' +
  'live reside inhabit dwell, inhabitant resident population people, area region territory zone, place location site spot, ' +
  'situate locate, near close beside, divide split separate, join unite merge combine, part portion component section, ' +
  'kind type sort form, cause lead result produce, reason cause, effect result consequence outcome, ' +
  'aim goal purpose objective, use employ utilize, help aid assist support, protect guard defend, attack assault invade, ' +
  'war battle conflict fight, army troops soldier military, law legislation statute act, rule govern reign, ' +
  'king monarch ruler queen, government administration state, vote election ballot poll, money fund finance, ' +
  'give provide supply offer donate, get receive obtain gain, take remove, send transmit, move shift transfer, ' +
  'travel journey trip, go leave depart, come arrive reach, increase grow rise gain, decrease decline fall drop reduce, ' +
  'change alter modify convert, keep retain maintain preserve, happen occur take, allow permit let enable, ' +
  'prevent stop prohibit ban, forbid prohibit ban, require need demand, want wish desire, think believe consider, ' +
  'know recognize famous, find discover detect, discovery finding, invent devise create, inventor discoverer, measure gauge, ' +
  'contain include comprise consist, cover contain, connect link join, river stream, mountain hill peak, sea ocean, ' +
  'street road avenue, house home residence, ship boat vessel, car automobile vehicle, train railway rail, ' +
  'plane aircraft airplane, doctor physician, illness disease sickness, injury wound hurt, child kid, father dad parent, ' +
  'mother mum parent, wife husband spouse, woman female, man male, old elderly aged, young youth, new recent modern, ' +
  'old ancient former, first initial original, last final latest, main chief principal primary major, ' +
  'important significant key, famous known renowned notable, common frequent usual, rare scarce uncommon, quick fast rapid, ' +
  'speed velocity rate, hard difficult, easy simple, rich wealthy, poor poverty, strong powerful, ' +
  'dangerous hazardous risky toxic, danger hazard risk, hot warm heat, cold cool, high tall, depth deep, length long, ' +
  'width wide, area size extent, weight heavy mass, number amount quantity total, percent percentage proportion share, ' +
  'yearly annual, daily day, company firm corporation business, owner own possess, worker employee staff, ' +
  'boss employer, group organization association, member belong, meeting conference session, agreement treaty deal contract, ' +
  'religion faith church, god deity, holy sacred, book volume publication, publish issue release print, picture image photo, ' +
  'paint painting painter, museum gallery, festival celebration, celebrate honor commemorate, award prize medal, ' +
  'border frontier boundary, east eastern, west western, north northern, south southern, damage destroy ruin, ' +
  'rebuild restore reconstruct, permit license certificate, approve accept agree, refuse reject deny, ask request, ' +
  'answer reply respond, fear afraid, attempt try, replace substitute, return back, appear seem, later subsequent following, ' +
  'usually generally typically commonly, mostly mainly primarily largely, approximately about nearly almost roughly, ' +
  'currently presently now, formerly previously'
)
  .split(', ')
  .map(words);

/** What is the same for every language. Its stems have rules of their own, above. */
export const english: Language = {
  id: 'en',
  script: 'latin',
  stops:
    'a about above after again against all also am an and any are as at be because been before being below between both but by can ' +
    'could did do does doing down during each few for from further had has have having he her here hers him his how i if in into ' +
    'is it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so some ' +
    'such t than that the their them then there these they this those through to too under until up us very was we were what ' +
    'when where whether which while who whom whose why will with would you your',
  // Any text may use other words for these.
  frames:
    'many much type kind sort name number amount percentage percent example term use used make take get give go become find call ' +
    'know say consider include happen keep put let need want might may must usual could another someone something thing',
  negations:
    'not no nor never without neither none nobody nothing cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt ' +
    'shouldnt hasnt havent hadnt',
  letters: '',
  elided: '',
  vowels: '',
  passes: [],
};

function words(list: string): string[] {
  return list.split(' ');
}
