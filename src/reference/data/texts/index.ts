import type { Language } from '../../../contract/values.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { tc } from './tc.ts';
import type { NewsTexts } from './texts.ts';
import { tr } from './tr.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';

/** Sentences of the ten languages of news (§4.2). */
export const TEXTS: Readonly<Record<Language, NewsTexts>> = {
  en,
  zh,
  tc,
  ja,
  vi,
  es,
  pt,
  ru,
  tr,
  fr,
};
