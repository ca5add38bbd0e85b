/** A link in an item of a list. */
export function listItem(link: HTMLAnchorElement): HTMLLIElement {
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function linkTo(href: string, words: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = words;
  return link;
}

/** Adds a view to the group of the navigation that leads to `group`; a group of one view becomes one of two. */
export function addWithin(nav: HTMLElement, group: string, href: string, words: string): void {
  const top = nav.querySelector<HTMLAnchorElement>(`a[href="${group}"]`);
  const item = top?.parentElement;
  if (top === null || item === null || item === undefined) return;
  let list = item.querySelector('ul');
  if (list === null) {
    list = document.createElement('ul');
    list.append(listItem(linkTo(group, top.textContent)));
    item.append(list);
  }
  list.append(listItem(linkTo(href, words)));
}

/** Marks the link of a view and the group that it stands in, whose other views are shown with it. */
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
