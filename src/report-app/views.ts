/**
 * The sections of the page as views: one is in the document at a time, the others are kept aside. That keeps the
 * document small whatever the run recorded, and lets the browser's own search find what is seen.
 */
export interface Views {
  /** Shows a view; the first one when there is none of the name. */
  show(id: string): void;
  /** Id of the view that holds an element with this id, in the document or aside. */
  holding(id: string): string | undefined;
  has(id: string): boolean;
  /** The element of a view; made empty when there is none yet. */
  element(id: string): HTMLElement;
  /** Puts all views back, for printing. */
  showAll(): void;
  readonly current: string;
}

/** Takes over the sections of `main`. */
export function createViews(main: HTMLElement): Views {
  const views = new Map<string, HTMLElement>();
  for (const section of main.querySelectorAll<HTMLElement>(':scope > section.view')) {
    views.set(section.id, section);
  }
  const written = [...views.values()];
  let current = '';
  const show = (id: string): void => {
    const view = views.get(id) ?? written[0];
    if (view === undefined) return;
    current = view.id;
    // Taken out and put back, what is shown already would lose its focus and its place.
    if (main.childElementCount !== 1 || main.firstElementChild !== view) main.replaceChildren(view);
  };
  return {
    show,
    has: (id) => views.has(id),
    holding(id) {
      for (const [name, view] of views) {
        if (name === id || view.querySelector(`[id="${CSS.escape(id)}"]`) !== null) return name;
      }
      return undefined;
    },
    element(id) {
      const known = views.get(id);
      if (known !== undefined) return known;
      const section = document.createElement('section');
      section.className = 'view';
      section.id = id;
      views.set(id, section);
      return section;
    },
    showAll: () => main.replaceChildren(...written),
    get current() {
      return current;
    },
  };
}
