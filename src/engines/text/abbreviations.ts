/** Frozen lists for sentences in languages other than English, in lowercase: additions to the lists of english.ts. Data only. */

/** Abbreviations that never end a sentence. */
export const more_never_final =
  'z z.b d.h u.a bzw ggf evtl inkl zzgl bspw sog geb gest gem nr hrsg mind т.е т.к т.н им ул св акад ред см рис табл млн млрд тыс руб ' +
  'напр проф mgr srta dra uds núm pág p.ej dott dhr mevr bijv d.w.z sig ee bl.a';

/** Abbreviations that do not end a sentence before a number. */
export const more_before_number = 'tel tél abs mwst str ext env aprox pag blz ziff kap abb anl poz д кв стр';

/** The last part of words such as Hauptstr. 7 and Bestellnr. 12, which do not end a sentence before a number. */
export const compound_before_number = /(?:str|nr)$/;

/** Abbreviations that end a sentence only when a word that often starts one follows. */
export const more_sometimes_final = 'usw mio mrd av bd ul ex med phil jur ing jh v.chr n.chr г гг в вв др пр т.д т.п';

/** Capitalised words that often start a sentence. */
export const more_starters =
  'der die das ein eine er es im am auf mit von bei nach dies diese dieser dieses auch und aber doch wir sie ich dann danach hier seit als wenn während für ' +
  'в на и а но он она они это этот эта эти по с к из у за до после при для как когда если также однако его её ее во многие один одна';

/** Words before which a number of at most two digits with a point is an ordinal. */
export const after_ordinal =
  'jahrhundert jahrhunderts jahrhunderte jahrhunderten jh januar jänner februar märz april mai juni juli august september oktober ' +
  'november dezember weltkrieg weltkriegs platz klasse bundesliga auflage stock rang tag kapitel armee';
