/** The part of the screen, below the navigation, in which a finding is the one that is read. */
const READ = '-20% 0px -65% 0px';

function inSight(element: Element | null | undefined): element is Element {
  if (element === null || element === undefined) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** Marks in the list beside the findings the one that is read, and keeps it in sight there. */
export function followFindings(main: HTMLElement): void {
  const list = main.querySelector<HTMLElement>('.finding-list');
  if (list === null) return;
  const mark = (id: string): void => {
    for (const link of list.querySelectorAll<HTMLElement>('a')) {
      const isRead = link.getAttribute('href') === `#${id}`;
      if (!isRead) link.removeAttribute('aria-current');
      else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'true');
        const [own, all] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
        if (own.top < all.top) list.scrollTop += own.top - all.top;
        else if (own.bottom > all.bottom) list.scrollTop += own.bottom - all.bottom;
      }
    }
  };
  const seen = new Set<Element>();
  const articles = [...main.querySelectorAll('article.finding')];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      const held = document.activeElement?.closest('article.finding');
      const read = inSight(held) ? held : articles.find((one) => seen.has(one));
      if (read !== undefined) mark(read.id);
    },
    { rootMargin: READ },
  );
  for (const article of articles) observer.observe(article);
  // What is gone to is read, also at the end of the page, where it does not come to the top.
  main.addEventListener('focusin', ({ target }) => {
    const article = target instanceof Element ? target.closest('article.finding') : null;
    if (article !== null) mark(article.id);
  });
}
