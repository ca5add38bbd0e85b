/** Rows that may stand in the document without being asked for: a page of a few thousand elements opens at once. */
const ROWS = 150;

/** A section of the matrix: its rows leave the document while it is folded. */
export interface Part {
  readonly element: HTMLDetailsElement;
  readonly rows: readonly HTMLTableRowElement[];
  /** Its content comes back when it is opened. */
  readonly table: HTMLElement;
}

const known = new WeakMap<HTMLElement, readonly Part[]>();

/** The sections of the matrix, taken over from the written page the first time. */
export function partsOf(view: HTMLElement): readonly Part[] {
  const parts = known.get(view) ?? takeOver(view);
  known.set(view, parts);
  return parts;
}

function takeOver(view: HTMLElement): readonly Part[] {
  return [...view.querySelectorAll<HTMLDetailsElement>('details.part')].flatMap((element) => {
    const table = element.querySelector('table');
    if (table === null) return [];
    const part = { element, table, rows: [...(table.tBodies[0]?.rows ?? [])] };
    element.addEventListener('toggle', () => settle(part));
    return [part];
  });
}

function settle({ element, table }: Part): void {
  if (element.open && table.parentElement === null) element.append(table);
  if (!element.open) table.remove();
}

/** Opens all sections, for printing; the answer folds them again as they were. */
export function unfold(view: HTMLElement): () => void {
  const folded = partsOf(view).filter(({ element }) => !element.open);
  for (const part of folded) setOpen(part, true);
  return () => {
    for (const part of folded) setOpen(part, false);
  };
}

/** Opens a section or folds it. */
export function setOpen(part: Part, open: boolean): void {
  part.element.open = open;
  settle(part);
}

/**
 * Opens the wanted sections in their order as long as their visible rows are few enough, and folds the rest.
 */
export function openSome(
  parts: readonly Part[],
  options: { readonly wanted: (part: Part) => boolean; readonly rows?: number },
): void {
  let room = options.rows ?? ROWS;
  for (const part of parts) {
    const count = part.rows.filter((row) => !row.hidden).length;
    const open = count > 0 && count <= room && options.wanted(part);
    if (open) room -= count;
    setOpen(part, open);
  }
}
