/** Frozen lists for sentences in languages other than English, in lowercase: additions to the lists of english.ts. Data only. */

/** Abbreviations that never end a sentence. */
export const more_never_final =
  'z z.b d.h u.a bzw ggf evtl inkl zzgl bspw sog geb gest nr hrsg mind mio mrd т.е т.к т.н им ул св акад ред см рис табл млн млрд тыс руб ' +
  'напр проф mgr srta dra uds núm pág p.ej dott dhr mevr bijv d.w.z';

/** Abbreviations that end a sentence only when a word that often starts one follows. */
export const more_sometimes_final = 'usw jh v.chr n.chr г гг в вв др пр т.д т.п';

/** Capitalised words that often start a sentence. */
export const more_starters =
  'der die das ein eine er es im am auf mit von bei nach dies diese dieser dieses auch und aber doch seit als wenn während für ' +
  'в на и а но он она они это этот эта эти по с к из у за до после при для как когда если также однако его её ее во многие один одна';

/** Words before which a number of at most two digits with a point is an ordinal. */
export const after_ordinal =
  'jahrhundert jahrhunderts jahrhunderte jahrhunderten jh januar jänner februar märz april mai juni juli august september oktober ' +
  'november dezember weltkrieg weltkriegs platz klasse bundesliga auflage stock rang tag kapitel armee';
