/** A copied amount has all its decimals, though fewer are shown. @returns what stops it. */
export function copyExactAmounts(): () => void {
  const copy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
    const copied = selection.getRangeAt(0).cloneContents();
    const amounts = copied.querySelectorAll('[data-exact]');
    const within = closestAmount(selection.getRangeAt(0).commonAncestorContainer);
    if (within === null && amounts.length === 0) return;
    for (const amount of amounts) amount.textContent = amount.getAttribute('data-exact');
    event.clipboardData?.setData('text/plain', within?.getAttribute('data-exact') ?? textOf(copied));
    event.preventDefault();
  };
  document.addEventListener('copy', copy);
  return () => document.removeEventListener('copy', copy);
}

function closestAmount(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('[data-exact]') ?? null;
}

/** Rows as lines, cells with tabs between them: what spreadsheets paste. */
function textOf(copied: DocumentFragment): string {
  const rows = [...copied.querySelectorAll('tr')];
  if (rows.length === 0) return copied.textContent.trim();
  return rows.map((row) => [...row.cells].map(cellText).join('\t')).join('\n');
}

const cellText = (cell: HTMLTableCellElement): string =>
  (cell.lastElementChild ?? cell).textContent.replace(/\s+/g, ' ').trim();
