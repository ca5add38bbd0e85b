/** Marks the current view in the navigation, and unfolds its group. */
export function markCurrent(nav: HTMLElement, view: string): void {
  const href = `#${view}`;
  for (const item of nav.querySelectorAll<HTMLElement>(':scope > ul > li')) {
    const [top, ...within] = item.querySelectorAll('a');
    const links = within.length === 0 && top !== undefined ? [top] : within;
    let open = false;
    for (const link of links) {
      const current = link.getAttribute('href') === href;
      open ||= current;
      if (current) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    item.toggleAttribute('data-open', open);
    if (within.length === 0) continue;
    if (open) top?.setAttribute('aria-current', 'true');
    else top?.removeAttribute('aria-current');
  }
}
