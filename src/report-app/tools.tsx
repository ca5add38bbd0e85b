import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { keepNote, readNote } from './actions.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'assay-theme';

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Buttons for theme and print. */
export function Tools(): VNode {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = THEMES.find((one) => one === readNote(KEY)) ?? 'auto';
    apply(kept);
    return kept;
  });
  const next = (): void => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    apply(chosen);
    keepNote(KEY, chosen);
    setTheme(chosen);
  };
  return (
    <div class="bar-tools">
      <button type="button" onClick={next}>{`Theme: ${theme}`}</button>
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </div>
  );
}
