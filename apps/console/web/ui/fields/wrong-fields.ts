/** Who found the error of a field: the form, in what was typed, or the API. */
export type FoundBy = 'form' | 'api';

export const WRONG = 'data-wrong';

/** The attribute that a field's element has while it shows an error: by it the form finds the field. */
export const wrongMark = (
  problem: string | null,
  refused: string | null,
): { readonly 'data-wrong': FoundBy | undefined } => ({
  [WRONG]: problem !== null ? 'form' : refused !== null ? 'api' : undefined,
});

export const foundBy = (field: Element): FoundBy | null => field.getAttribute(WRONG) as FoundBy | null;

/** The fields with an error, in the order of the page. Of a group with a wrong field in it, the field is the one to mend. */
export const wrongFieldsIn = (form: Element): readonly HTMLElement[] =>
  [...form.querySelectorAll<HTMLElement>(`[${WRONG}]`)].filter(
    (field) => field.querySelector(`[${WRONG}]`) === null,
  );

const NAMES = ['legend', 'h3', 'label'];
const CONTROLS = ['[aria-invalid="true"]', 'input:checked', 'input, textarea, select, button'];

/** The label of the field on the page. */
export const nameOf = (field: Element): string => firstIn(field, NAMES)?.textContent ?? '';

/** Moves the focus to the field, and the field with its error into sight. */
export function focusField(field: HTMLElement): void {
  firstIn(field, CONTROLS)?.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'nearest' });
}

function firstIn(field: Element, selectors: readonly string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = field.querySelector<HTMLElement>(selector);
    if (found !== null) return found;
  }
  return null;
}
