import { LANGUAGES, type Language } from '../../spec/values.ts';
import { remembered } from '../../text/remembered.ts';

// Features that distinguish the languages of news (§4.2). Small on purpose: a page of news has thousands of words.

export const LATIN_LANGUAGES = ['en', 'vi', 'es', 'pt', 'tr', 'fr'] as const;
type LatinLanguage = (typeof LATIN_LANGUAGES)[number];

/**
 * Frequent function words unique to one of these languages. Excludes shared words ("que", "no", "en", "on") and parts
 * of names and addresses ("com").
 */
const FUNCTION_WORDS: Readonly<Record<LatinLanguage, string>> = {
  en: 'the and of to that with is are was were this these from by at be been have had will its their they which would could more most than about after while into what when not you your how why who',
  vi: 'và của là cho không được trong với các một những này đã khi trên từ đến sẽ tại như bị vì cũng theo hơn đang nhưng mà nếu người về thêm rằng vẫn qua chỉ rồi sau trước bằng nhất',
  es: 'el los las y del una más pero su sus al según hay hasta también han muy cuando qué lo sin fue esto estos otro donde mientras todavía aún cómo',
  pt: 'os um uma não são foi pelo pela também seu sua até das na nas ao aos num numa já muito quando pelos pelas isso foram após você ainda',
  tr: 've bir bu için ile daha çok olarak olan göre kadar sonra gibi değil ancak ise ama önce üzerinde arasında oldu etti diye hem değişti olduğunu ilk',
  fr: 'le les des et une dans pour est qui au aux sur pas avec ce cette ont sont été il elle leur nous vous ses depuis selon comme aussi lors afin',
};

export const WORD_LANGUAGE: ReadonlyMap<string, LatinLanguage> = new Map(
  LATIN_LANGUAGES.flatMap((language) =>
    FUNCTION_WORDS[language].split(' ').map((word) => [word, language] as const),
  ),
);

/** Letters unique to Vietnamese or Turkish among these languages. */
const OWN_LETTERS: readonly (readonly [LatinLanguage, RegExp])[] = [
  ['vi', /[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u],
  ['tr', /[ğış]/u],
];

/** Characters unique to Simplified Chinese. */
const SIMPLIFIED = new Set(
  '这们来对说时会发学过动现实开关长业产电东车门问间题见观规币场额达涨链续报转资账评计议认记该请读调证试话语设许论险随难预领项顺须顾飞马风验网绍终经给绝统维综缩罗职联营获节虽补负贡财责败货质购贸费贺赏赖赚赛轮软轻较辑输边运进远违连迟选递释钟钱银销锁锋错阶际陆陈阳阴队阵页频颜亚亿仅从仓优传众伟伤体债储兴养冲决况净减划刘则刚创办务励势区医华单卖卫厂历压县参双变听启员响团园围图圆块坏头奖审宽导将尔层属岁师带帮广庆应库废异弃张归当录态总恶惊惯戏扩执护担拥择换据敌数断无显术机杀权条极构标树样桥检楼欢欧汇汉没沟泽济测润渐满滞灭灵灾热爱状独环画疗监盖盘矿码础确离种积称稳穷竞笔简类紧红纪约级纯线组织细结',
);
/** Characters unique to Traditional Chinese. */
const TRADITIONAL = new Set(
  '這們來對說時會發學過動現實開關長業產電東車門問間題見觀規幣場額達漲鏈續報轉資帳評計議認記該請讀調證試話語設許論險隨難預領項順須顧飛馬風驗網紹終經給絕統維綜縮羅職聯營獲節雖補負貢財責敗貨質購貿費賀賞賴賺賽輪軟輕較輯輸邊運進遠違連遲選遞釋鐘錢銀銷鎖鋒錯階際陸陳陽陰隊陣頁頻顏亞億僅從倉優傳眾偉傷體債儲興養衝決況淨減劃劉則剛創辦務勵勢區醫華單賣衛廠歷壓縣參雙變聽啟員響團園圍圖圓塊壞頭獎審寬導將爾層屬歲師帶幫廣慶應庫廢異棄張歸當錄態總惡驚慣戲擴執護擔擁擇換據敵數斷無顯術機殺權條極構標樹樣橋檢樓歡歐匯漢沒溝澤濟測潤漸滿滯滅靈災熱愛狀獨環畫療監蓋盤礦碼礎確離種積稱穩窮競筆簡類緊紅紀約級純線組織細結',
);

/** Simplified characters also used in Japanese. */
const ALSO_JAPANESE = new Set(
  '会学来点当区医参双条断数没称争独状画属将楼欧担体国励随灯党旧宝写乱声',
);

/** Characters unique to Japanese. */
const JAPANESE = new Set(
  '産対発気円択拠拡売検権撃処転圧価広応戦県図変単実両毎総緑録歳歴済続経継観訳読軽辺遅鉄銭関険隠顕駅験齢込働労効勧団囲壊専帰弾従悪挙様歩渋満稲縦聴脳臓薬覚覧賛酔釈鉱黒黙',
);

/** The Chinese script of a character; `undefined` if it is in both. */
export function chineseWriting(character: string): 'simplified' | 'traditional' | undefined {
  const isSimplified = SIMPLIFIED.has(character);
  if (isSimplified === TRADITIONAL.has(character)) return undefined;
  return isSimplified ? 'simplified' : 'traditional';
}

/** Language features of a text: letter counts, except for `words` and `weight`. */
export interface Traits {
  readonly han: number;
  readonly kana: number;
  readonly cyrillic: number;
  readonly latin: number;
  readonly other: number;
  readonly simplified: number;
  readonly traditional: number;
  /** Simplified characters not used in Japanese. */
  readonly mainland: number;
  readonly japanese: number;
  /** Function words unique to each Latin-script language. */
  readonly words: Readonly<Record<LatinLanguage, number>>;
  /** Length in Latin letters, with a CJK character counted as several. */
  readonly weight: number;
}

/** Latin letters per CJK character. */
const CJK_WEIGHT = 2.5;
/** Shorter texts are not classified. */
export const MIN_WEIGHT = 20;

const LETTER = /\p{L}/u;
const SCRIPTS = {
  han: /\p{Script=Han}/u,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  latin: /\p{Script=Latin}/u,
} as const;
/** URLs, handles and tags look the same in every language. */
const NEUTRAL = /https?:\/\/\S+|www\.\S+|[@#$]\w+/giu;
export const withoutNeutral = (text: string): string => text.replaceAll(NEUTRAL, ' ');
const MAX_LENGTH = 20_000;

type Script = keyof typeof SCRIPTS | 'other';

/** Memo, bounded by MAX_MEMO. */
const scripts = new Map<string, Script | undefined>();
const MAX_MEMO = 20_000;

/** The script of a letter; `undefined` for non-letters and letters of no particular script. */
function scriptOf(character: string): Script | undefined {
  if (scripts.size >= MAX_MEMO) scripts.clear();
  if (!scripts.has(character)) scripts.set(character, readScript(character));
  return scripts.get(character);
}

function readScript(character: string): Script | undefined {
  if (!LETTER.test(character)) return undefined;
  for (const [script, letters] of Object.entries(SCRIPTS) as [keyof typeof SCRIPTS, RegExp][]) {
    if (letters.test(character)) return script;
  }
  // Modifier letters such as the prolonged sound mark.
  return /\p{Lm}/u.test(character) ? undefined : 'other';
}

/** Analyses the first 20,000 characters of a text. */
export const traitsOf = remembered((text: string): Traits => {
  const clean = withoutNeutral(text.slice(0, MAX_LENGTH)).normalize('NFC');
  const count = zeros(LETTERS);
  for (const letter of clean) {
    const code = letter.charCodeAt(0);
    if (code < 0x80) {
      // The bit folds letters to lower case.
      if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) count.latin += 1;
      continue;
    }
    const script = scriptOf(letter);
    if (script === undefined) continue;
    count[script] += 1;
    if (script !== 'han') continue;
    const writing = chineseWriting(letter);
    if (writing !== undefined) count[writing] += 1;
    if (writing === 'simplified' && !ALSO_JAPANESE.has(letter)) count.mainland += 1;
    if (JAPANESE.has(letter)) count.japanese += 1;
  }
  const words = zeros(LATIN_LANGUAGES);
  for (const [word] of clean.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu)) {
    const language =
      WORD_LANGUAGE.get(word) ?? OWN_LETTERS.find(([, letters]) => letters.test(word))?.[0];
    if (language !== undefined) words[language] += 1;
  }
  const weight = count.latin + count.cyrillic + count.other + CJK_WEIGHT * (count.han + count.kana);
  return { ...count, words, weight };
});

const LETTERS = [
  ...(['han', 'kana', 'cyrillic', 'latin', 'other'] as const),
  ...(['simplified', 'traditional', 'mainland', 'japanese'] as const),
];

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

/** Sums the features of several texts: many short ones tell as much as a long one. */
function sumTraits(texts: readonly Traits[]): Traits {
  const sum = zeros([...LETTERS, 'weight']);
  const words = zeros(LATIN_LANGUAGES);
  for (const traits of texts) {
    for (const name of [...LETTERS, 'weight'] as const) sum[name] += traits[name];
    for (const name of LATIN_LANGUAGES) words[name] += traits.words[name];
  }
  return { ...sum, words };
}

const ALL: ReadonlySet<Language> = new Set(LANGUAGES);
const LATIN: ReadonlySet<Language> = new Set(LATIN_LANGUAGES);
/** Japanese headlines with fewer Han characters may contain no kana. */
const HEADLINE_HAN = 16;
/** This many characters unique to Simplified Chinese rule out a Japanese headline. */
const CHINESE_MARKS = 3;

/** Languages that a text may be in: all if it is too short, none if it is in an unlisted one (Korean, Arabic, …). */
export const possibleLanguages = (traits: Traits): ReadonlySet<Language> =>
  traits.weight < MIN_WEIGHT ? ALL : languagesByLetters(traits);

/** The same for a text of any length. */
function languagesByLetters(traits: Traits): ReadonlySet<Language> {
  const { han, kana, cyrillic, latin, other, japanese, weight } = traits;
  if (weight === 0) return ALL;
  if (other > weight / 2) return new Set();
  const cjk = CJK_WEIGHT * (han + kana);
  if (cjk >= cyrillic) {
    if (kana >= 2 && kana * 8 >= han + kana) return new Set(['ja']);
    if (japanese >= 2 && japanese * 16 >= han) return new Set(['ja']);
    if (han >= 4 || (han >= 2 && cjk >= weight * 0.15)) return chinese(traits);
  }
  if (cyrillic >= 4 && cyrillic >= weight * 0.15) return new Set(['ru']);
  return latin >= weight * 0.6 ? latinLanguages(traits) : ALL;
}

/** Chooses by characters unique to one script; a few quoted ones do not matter. */
function chinese({
  han,
  kana,
  simplified,
  traditional,
  mainland,
  japanese,
}: Traits): ReadonlySet<Language> {
  const found = new Set<Language>();
  const isOpen = simplified + traditional === 0;
  if (isOpen || 4 * traditional > simplified) found.add('tc');
  if (isOpen || 4 * simplified > traditional) found.add('zh');
  const isChinese = mainland >= CHINESE_MARKS && traditional === 0;
  if (kana + japanese > 0 || (han < HEADLINE_HAN && !isChinese)) found.add('ja');
  return found;
}

/** Chooses by function words if they are conclusive. */
function latinLanguages({ words }: Traits): ReadonlySet<Language> {
  const [first = 'en', second = 'en'] = LATIN_LANGUAGES.toSorted((a, b) => words[b] - words[a]);
  const [most, next] = [words[first], words[second]];
  return most >= 2 && (next === 0 || (most >= 4 && most >= 3 * next)) ? new Set([first]) : LATIN;
}

/** Whether a text is not in the requested language, by its words or by its script. */
export const isOther = (traits: Traits, asked: Language): boolean =>
  !possibleLanguages(traits).has(asked) || isOfOtherScript(traits, asked);

/** A text this long without any feature of the requested language is not just names and quotations. */
const CLEAR_WEIGHT = 200;
const CLEAR_EVIDENCE = 10;

/** The language of a long text with many features of it and none of the requested one, which is conclusive alone. */
export function clearlyOther(traits: Traits, asked: Language): Language | undefined {
  const [found, ...others] = possibleLanguages(traits);
  if (found === undefined || others.length > 0 || found === asked) return undefined;
  const isLong = traits.weight >= CLEAR_WEIGHT && FACTS[found].features(traits) >= CLEAR_EVIDENCE;
  return isLong && FACTS[asked].features(traits) === 0 ? found : undefined;
}

/** Whether nothing in a text of any length contradicts the requested language. */
export function fits(traits: Traits, asked: Language): boolean {
  if (!languagesByLetters(traits).has(asked)) return false;
  const { words, mainland, kana, japanese } = traits;
  if (asked === 'ja') return mainland === 0 || kana + japanese > 0;
  return !isLatin(asked) || words[asked] > 0 || LATIN_LANGUAGES.every((one) => words[one] === 0);
}

/** Minimum number of function words for prose rather than names, in total and per text. */
const PROSE_WORDS = 3;
const PROSE_WORDS_EACH = 0.2;

/**
 * The common language of several texts, if they contain prose and not only names, tickers and figures. `'other'` is an
 * unlisted language; undefined if inconclusive.
 */
export function languageTogether(texts: readonly Traits[]): Language | 'other' | undefined {
  const sum = sumTraits(texts);
  if (sum.weight < 2 * MIN_WEIGHT) return undefined;
  const possible = possibleLanguages(sum);
  const [one] = possible;
  if (possible.size === 0) return 'other';
  if (one === undefined || possible.size > 1) return undefined;
  const isProse =
    !isLatin(one) || sum.words[one] >= Math.max(PROSE_WORDS, PROSE_WORDS_EACH * texts.length);
  return isProse ? one : undefined;
}

export const isLatin = (language: Language): language is LatinLanguage =>
  LATIN_LANGUAGES.some((one) => one === language);

interface LanguageFacts {
  readonly name: string;
  /** Letters of its scripts. */
  readonly letters: (traits: Traits) => number;
  /** Features unique to it. */
  readonly features: (traits: Traits) => number;
}

const inLatin = (name: string, language: LatinLanguage): LanguageFacts => ({
  name,
  letters: ({ latin }) => latin,
  features: ({ words }) => words[language],
});
const hanLetters = ({ han: count }: Traits): number => count;
const cyrillicLetters = ({ cyrillic: count }: Traits): number => count;

const FACTS: Readonly<Record<Language, LanguageFacts>> = {
  en: inLatin('English', 'en'),
  zh: { name: 'Simplified Chinese', letters: hanLetters, features: ({ simplified }) => simplified },
  tc: {
    name: 'Traditional Chinese',
    letters: hanLetters,
    features: ({ traditional }) => traditional,
  },
  ja: {
    name: 'Japanese',
    letters: (traits) => traits.han + traits.kana,
    features: ({ kana, japanese }) => kana + japanese,
  },
  vi: inLatin('Vietnamese', 'vi'),
  es: inLatin('Spanish', 'es'),
  pt: inLatin('Portuguese', 'pt'),
  ru: { name: 'Russian', letters: cyrillicLetters, features: cyrillicLetters },
  tr: inLatin('Turkish', 'tr'),
  fr: inLatin('French', 'fr'),
};

/** Chinese and Japanese share Han characters. */
const scriptClass = (language: Language): string =>
  isLatin(language) ? 'latin' : language === 'ru' ? 'cyrillic' : 'han';

export const shareNoScript = (a: Language, b: Language): boolean =>
  scriptClass(a) !== scriptClass(b);

/** Shorter texts are symbols or interjections. */
const MIN_LETTERS = 4;

/** Whether a text of any length has letters, but none in the script of the requested language. */
export function isOfOtherScript(traits: Traits, asked: Language): boolean {
  const { han, kana, cyrillic, latin, other } = traits;
  if (han + kana + cyrillic + latin + other < MIN_LETTERS) return false;
  return FACTS[asked].letters(traits) === 0;
}

export const languageName = (language: Language): string => `${FACTS[language].name} (${language})`;

export const describeFound = (found: Language | 'other'): string =>
  found === 'other' ? 'in a language that is not listed' : `in ${FACTS[found].name}`;

export function describeLanguage(traits: Traits): string {
  const possible = languagesByLetters(traits);
  if (possible.size === 0) return describeFound('other');
  if (possible.size === ALL.size) return 'in letters of several scripts';
  if (possible.size === LATIN.size) return 'in Latin letters';
  return `in ${[...possible].map((language) => FACTS[language].name).join(' or ')}`;
}
