/** Says something to screen readers and shows it for a moment. */
export function announce(text: string): void {
  const status = document.getElementById('status');
  if (status !== null) status.textContent = text;
}

/**
 * Copies a text. Without the clipboard (pages from plain http, sandboxes) it falls back to a selection. False when the
 * page may not copy.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce('Copied.');
    return true;
  } catch {
    // No clipboard here: the old way below.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr';
  area.setAttribute('aria-label', 'Text to copy');
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  announce(copied ? 'Copied.' : 'This page may not copy. Select the text and copy it by hand.');
  return copied;
}

/** Saves a text as a file. The name is ours, never the target's; the type is plain text, so nothing opens as a page. */
export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce(`Saved as ${name}, if this page may save.`);
}

/** Reads a note that was kept; null when nothing was, or when the page may keep nothing. */
export function readNote(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a note. False when the page may keep nothing. */
export function keepNote(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
