/** Has the browser save what an address answers as a file, and stay on this page. */
export function downloadFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.rel = 'noreferrer';
  link.download = '';
  link.click();
}

/** Hands a file that was made here to the browser, which saves it. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
