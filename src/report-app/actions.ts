/** Announces a text to screen readers and shows it briefly. */
export function announce(text: string): void {
  const status = document.getElementById('status');
  if (status !== null) status.textContent = text;
}

/** Copies a text, with a fallback for pages without clipboard access (plain http, sandboxes). False when it fails. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce('Copied.');
    return true;
  } catch {
    // No clipboard access: use the fallback.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr';
  area.setAttribute('aria-label', 'Text to copy');
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  announce(copied ? 'Copied.' : 'Cannot copy: select the text and copy it manually.');
  return copied;
}

/** Saves a text as a file; plain text, so that it never opens as a page. */
export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce(`Download of ${name} started.`);
}
