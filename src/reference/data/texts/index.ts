import type { Language } from '../../../spec/values.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tc from './tc.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };
import type { NewsTexts } from './texts.ts';

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
