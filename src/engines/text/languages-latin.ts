/** Frozen word lists and endings of languages in Latin letters other than English; `languages.ts` says after whom. Data only. */
import { end, type Language } from './language.js';

export const german: Language = {
  id: 'de',
  script: 'latin',
  stops:
    'aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim bin bis bist ' +
    'da damit dann das dass daß dazu dein deine dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser ' +
    'dieses dir doch dort du durch ein eine einem einen einer eines einige einigen er es etwas euch euer für gegen gab gibt habe haben ' +
    'hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes ' +
    'jener jetzt kann kein keine keinem keinen keiner können könnte mal man mehr mein meine mit muss musste nach nicht nichts noch ' +
    'nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sogar solche solchen soll sollte sondern sonst ' +
    'über um und uns unser unter viel viele vielen vom von vor war waren warum was wegen weil welche welchem welchen welcher welches ' +
    'wenn wer werde werden wem wen wessen wie wieder will wir wird wo woher wohin wurde wurden würde während zu zum zur zwar zwischen ' +
    'wobei womit wofür worin wodurch wann lange worden',
  frames:
    'name namen heißt heißen hieß nennt genannt nannte bezeichnet bezeichnung lautet art befindet befand passiert passierte',
  negations: 'nicht kein keine keinem keinen keiner ohne nie niemals weder',
  letters: 'äa öo üu ßss',
  elided: '',
  vowels: 'aeiouy',
  passes: [
    end(3, 'innen erin>er ern em er en es e [bdfghklmnrt]s'),
    end(3, 'est en er [bdfghklmnt]st'),
    end(4, 'igkeit lichkeit ung isch lich heit keit ig ik end'),
  ],
};

export const french: Language = {
  id: 'fr',
  script: 'latin',
  stops:
    'a ai ainsi alors après au aucun aucune aussi autre autres aux avait avaient avant avec avoir bien c ce cela celle celles celui ces ' +
    'cet cette ceux chaque ci comme comment contre d dans de depuis des deux donc dont du durant elle elles en encore entre est et ' +
    'étaient étant était été être eu eux fait font fut ici il ils j je jusqu l la laquelle le lequel les lesquelles lesquels leur ' +
    'leurs lors lorsque lui m ma mais me mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent ' +
    'plus plusieurs pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous sur t ta ' +
    'tandis te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y combien',
  frames: 'nom nommé nomme appelle appelé appelait type sorte genre',
  negations: 'ne n pas non ni jamais sans aucun aucune',
  letters: 'àa âa äa çc èe ée êe ëe îi ïi ôo öo ùu ûu üu œoe æae',
  elided: 'l d j m n s t c qu jusqu lorsqu puisqu quelqu',
  vowels: 'aeiouy',
  passes: [
    end(3, 'issements issement ements ement ations ation ateurs ateur atrices atrice euses euse ites ite ives ive ifs if'),
    end(3, 'eaux>eau aux>al eux>eux s x'),
    end(3, 'aient issant eront erait ait ant ees ee er ez ie iere>ier e'),
    end(3, 'll>l nn>n tt>t ss>s'),
  ],
};

export const spanish: Language = {
  id: 'es',
  script: 'latin',
  stops:
    'a al algo algunas algunos ante antes aquel aquella así aún aunque cada como con contra cual cuales cuando cuándo cuál cuáles cómo ' +
    'cuánto cuántos cuántas cuánta de del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso ' +
    'esos esta está están estaba estaban estas este esto estos fue fueron ha había habían han hasta hay hacia la las le les lo los más ' +
    'me mi mientras mis mucho muchos muy nada ni no nos nosotros o os otra otras otro otros para pero poco por porque pues que qué ' +
    'quien quién quienes quiénes se sea según ser si sí sido siendo sin sobre son su sus también tan tanto te tiene tienen todo todos tras ' +
    'tu un una unas uno unos y ya yo',
  frames: 'nombre llama llamaba llamado llamada tipo clase',
  negations: 'no ni nunca jamás sin ningún ninguna ninguno',
  letters: 'áa ée íi óo úu üu ñn',
  elided: '',
  vowels: 'aeiou',
  passes: [
    end(3, 'amientos amiento imientos imiento aciones acion adores adoras ador adora mente idades idad ivos ivas ivo iva'),
    end(3, 'iendo ando aron ieron aban aba ados adas ado ada idos idas ido ida ces>z eses>es es os as o a e s'),
  ],
};

export const italian: Language = {
  id: 'it',
  script: 'latin',
  stops:
    'a ad ai al alla alle allo anche anno avere aveva c che chi ci come con contro cosa così cui d da dagli dai dal dalla dalle dallo ' +
    'dei degli del della delle dello di dopo dove due durante e è ed era erano essere fra fu furono gli ha hanno i il in io l la le lei ' +
    'li lo loro lui ma mentre molto ne nei negli nel nella nelle nello non nostro o ogni per perché più poi possono prima può qual quale ' +
    'quali quando quanti quanto quante quanta quella quelle quelli quello questa queste questi questo sarà se sei si sia sono sta stata ' +
    'state stati stato su sua sue sui sul sulla sulle suo suoi tra tutti tutto un una uno verso vi',
  frames: 'nome chiama chiamava chiamato chiamata tipo genere',
  negations: 'non né mai senza nessun nessuna nessuno',
  letters: 'àa èe ée ìi íi òo óo ùu úu',
  elided: 'l d c un dell all nell sull dall quest quell m t s v',
  vowels: 'aeiou',
  passes: [
    end(3, 'amenti amento imenti imento azioni azione atori atore mente abili abile ibili ibile'),
    end(
      3,
      'ando endo arono irono avano ava ati ata ate ato uti uta ute uto iti ita ite ito che>c chi>c ghe>g ghi>g ie io ia ii i e o a',
    ),
  ],
};
export const portuguese: Language = {
  id: 'pt',
  script: 'latin',
  stops:
    'a à ao aos as às até cada com como da das de dela dele deles depois do dos durante e é ela elas ele eles em entre era eram essa ' +
    'essas esse esses esta está estão estas estava este estes eu foi foram há isso isto já lhe mais mas me mesmo muito muitos na não ' +
    'nas nem no nos nós o onde os ou outra outro outros para pela pelas pelo pelos por porque qual quais quando quanto quantos quantas ' +
    'quanta que quem se seja sem ser será seu seus só sobre sua suas também tem têm ter tinha todo todos um uma umas uns você',
  frames: 'nome chama chamava chamado chamada tipo',
  negations: 'não nem nunca jamais sem nenhum nenhuma',
  letters: 'áa âa ãa àa çc ée êe íi óo ôo õo úu üu',
  elided: '',
  vowels: 'aeiou',
  passes: [
    end(3, 'oes>ao aes>ao ais>al eis>el'),
    end(3, 'amentos amento imentos imento acao adores adoras ador adora mente idades idade ivos ivas ivo iva'),
    end(3, 'ando endo indo aram eram iram ava avam ados adas ado ada idos idas ido ida es os as o a e s'),
  ],
};

export const dutch: Language = {
  id: 'nl',
  script: 'latin',
  stops:
    'aan al alle alleen als ander andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had hadden heb ' +
    'hebben heeft hem het hier hij hoe hoeveel hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar ' +
    'niet niets nog nu of om omdat onder ons ook op over reeds te tegen toen tot u uit uw van veel voor waar waarom waren was wat ' +
    'wanneer want welk welke werd werden wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou',
  frames: 'naam heet heette genoemd soort noemt',
  negations: 'niet geen nooit zonder noch',
  letters: 'ëe ïi ée èe öo üu äa',
  elided: '',
  vowels: 'aeiouy',
  passes: [end(3, 'heden>heid ingen ing en e s'), end(3, 'end heid lijk ig baar'), end(3, 'aa>a')],
};
