/** Features that distinguish the languages of news (§4.2). Small on purpose: a page of news has thousands of words. */

export const LATIN_LANGUAGES = ['en', 'vi', 'es', 'pt', 'tr', 'fr'] as const;
export type LatinLanguage = (typeof LATIN_LANGUAGES)[number];

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
export const OWN_LETTERS: readonly (readonly [LatinLanguage, RegExp])[] = [
  ['vi', /[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u],
  ['tr', /[ğış]/u],
];

/** Characters unique to Simplified Chinese. */
const SIMPLIFIED =
  '这们来对说时会发学过动现实开关长业产电东车门问间题见观规币场额达涨链续报转资账评计议认记该请读调证试话语设许论险随难预领项顺须顾飞马风验网绍终经给绝统维综缩罗职联营获节虽补负贡财责败货质购贸费贺赏赖赚赛轮软轻较辑输边运进远违连迟选递释钟钱银销锁锋错阶际陆陈阳阴队阵页频颜亚亿仅从仓优传众伟伤体债储兴养冲决况净减划刘则刚创办务励势区医华单卖卫厂历压县参双变听启员响团园围图圆块坏头奖审宽导将尔层属岁师带帮广庆应库废异弃张归当录态总恶惊惯戏扩执护担拥择换据敌数断无显术机杀权条极构标树样桥检楼欢欧汇汉没沟泽济测润渐满滞灭灵灾热爱状独环画疗监盖盘矿码础确离种积称稳穷竞笔简类紧红纪约级纯线组织细结';
/** Characters unique to Traditional Chinese. */
const TRADITIONAL =
  '這們來對說時會發學過動現實開關長業產電東車門問間題見觀規幣場額達漲鏈續報轉資帳評計議認記該請讀調證試話語設許論險隨難預領項順須顧飛馬風驗網紹終經給絕統維綜縮羅職聯營獲節雖補負貢財責敗貨質購貿費賀賞賴賺賽輪軟輕較輯輸邊運進遠違連遲選遞釋鐘錢銀銷鎖鋒錯階際陸陳陽陰隊陣頁頻顏亞億僅從倉優傳眾偉傷體債儲興養衝決況淨減劃劉則剛創辦務勵勢區醫華單賣衛廠歷壓縣參雙變聽啟員響團園圍圖圓塊壞頭獎審寬導將爾層屬歲師帶幫廣慶應庫廢異棄張歸當錄態總惡驚慣戲擴執護擔擁擇換據敵數斷無顯術機殺權條極構標樹樣橋檢樓歡歐匯漢沒溝澤濟測潤漸滿滯滅靈災熱愛狀獨環畫療監蓋盤礦碼礎確離種積稱穩窮競筆簡類緊紅紀約級純線組織細結';

/** Simplified characters also used in Japanese. */
const ALSO_JAPANESE = '会学来点当区医参双条断数没称争独状画属将楼欧担体国励随灯党旧宝写乱声';

/** Characters unique to Japanese. */
const JAPANESE =
  '産対発気円択拠拡売検権撃処転圧価広応戦県図変単実両毎総緑録歳歴済続経継観訳読軽辺遅鉄銭関険隠顕駅験齢込働労効勧団囲壊専帰弾従悪挙様歩渋満稲縦聴脳臓薬覚覧賛酔釈鉱黒黙';

const japanese = new Set(JAPANESE);
const alsoJapanese = new Set(ALSO_JAPANESE);
const traditional = new Set(TRADITIONAL);
const simplified = new Set(SIMPLIFIED);

/** The Chinese script of a character; `undefined` if it is in both. */
export function chineseWriting(character: string): 'simplified' | 'traditional' | undefined {
  const isSimplified = simplified.has(character);
  const isTraditional = traditional.has(character);
  if (isSimplified === isTraditional) return undefined;
  return isSimplified ? 'simplified' : 'traditional';
}

/** A simplified character used neither in Traditional Chinese nor in Japanese. */
export const isMainland = (character: string): boolean =>
  chineseWriting(character) === 'simplified' && !alsoJapanese.has(character);

export const isJapaneseOnly = (character: string): boolean => japanese.has(character);
