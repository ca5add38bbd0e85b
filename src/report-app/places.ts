/** Where the reader was at an address. */
interface Place {
  readonly scroll: number;
  /** The same within lists that are scrolled by themselves. */
  readonly inLists: readonly number[];
  /** Parts that were open, by their order in the document. */
  readonly open: readonly number[];
  readonly focus: Element | null;
}

/** Frames in which a place is waited for: evidence is read from the page, and grows when it is there. */
const FRAMES = 60;

/**
 * Remembers where the reader was at each address of the page, so that going back leads to the same place, with the same
 * parts open. A link that is followed leads to its target as always.
 */
export class Places {
  readonly #root: HTMLElement;
  readonly #known = new Map<string, Place>();
  #address = location.hash;
  #scroll = 0;
  #isFollowed = false;

  /** `root` holds what is shown. */
  constructor(root: HTMLElement) {
    this.#root = root;
    history.scrollRestoration = 'manual';
    // The browser moves the page before it tells of a new address, and tells of the move only later.
    addEventListener('scroll', () => (this.#scroll = scrollY), { passive: true });
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('a[href^="#"]') !== null) this.follow();
      },
      { capture: true },
    );
  }

  /** The next address is one that the reader asked for, and not one gone back to. */
  follow(): void {
    this.#isFollowed = true;
    this.#keep();
  }

  /** Takes note of the present address while the view of the one before is still there. */
  leave(): void {
    if (!this.#isFollowed) this.#keep();
  }

  /** Goes back to where the reader was at the present address; false when a link led here, or nothing is known. */
  restore(): boolean {
    const isFollowed = this.#isFollowed;
    this.#isFollowed = false;
    this.#address = location.hash;
    const place = this.#known.get(this.#address);
    if (isFollowed || place === undefined) return false;
    const details = this.#details();
    for (const index of place.open) {
      const one = details[index];
      if (one !== undefined) one.open = true;
    }
    if (place.focus instanceof HTMLElement && place.focus.isConnected)
      place.focus.focus({ preventScroll: true });
    for (const [index, list] of this.#lists().entries())
      list.scrollTo({ top: place.inLists[index] ?? 0, behavior: 'instant' });
    this.#scrollTo(place.scroll, FRAMES);
    return true;
  }

  #scrollTo(top: number, frames: number): void {
    scrollTo(0, top);
    this.#scroll = top;
    if (Math.abs(scrollY - top) <= 1 || frames === 0) return;
    const address = this.#address;
    requestAnimationFrame(() => {
      if (address === this.#address) this.#scrollTo(top, frames - 1);
    });
  }

  #keep(): void {
    this.#known.set(this.#address, {
      scroll: this.#scroll,
      inLists: this.#lists().map(({ scrollTop }) => scrollTop),
      open: this.#details().flatMap(({ open }, index) => (open ? [index] : [])),
      focus: document.activeElement,
    });
  }

  #lists(): readonly Element[] {
    return [...this.#root.querySelectorAll('.scroller, .list-pane')];
  }

  #details(): readonly HTMLDetailsElement[] {
    return [...this.#root.querySelectorAll('details')];
  }
}
