import { type Page } from 'playwright-core';
import { type Stub } from './stubbed-console';

const WRITE = /^(POST|PUT|PATCH|DELETE) (?!.*\/simulate$)/;

/** The answers, and for every write the one that is given now. */
export const withWrites = (
  answers: Readonly<Record<string, Stub>>,
  write: () => Stub,
): Readonly<Record<string, Stub>> =>
  new Proxy(answers, {
    get: (given, name) => (typeof name === 'string' && WRITE.test(name) ? write() : given[String(name)]),
  });

export const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  WRITE.test(`${method} ${path}`);

/** What a refused submit leaves: where the focus is, whether that and the buttons are in sight, and what was said. */
export interface Outcome {
  readonly focus: 'field' | 'error' | 'elsewhere';
  readonly isFocusInSight: boolean;
  readonly isButtonInSight: boolean;
  readonly alerts: readonly string[];
}

/** The last form of the document is the one in the dialog on top. */
const OUTCOME = `(() => {
  const form = [...document.forms].at(-1);
  const isIn = (element, inner) => element === inner || element.contains(inner);
  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
    return seen !== null && isIn(element, seen);
  };
  const focused = document.activeElement;
  const field = focused.closest('[data-wrong]');
  return {
    focus: focused.getAttribute('role') === 'alert' ? 'error' : field === null ? 'elsewhere' : 'field',
    isFocusInSight: isSeen(field ?? focused) || isSeen(focused),
    isButtonInSight: isSeen(form.querySelector('[type=submit]')),
    alerts: [...form.querySelectorAll('[role=alert]')].map((alert) => alert.textContent.trim()),
  };
})()`;

/** Submits the form once, and waits for what comes of it. */
export async function refused(page: Page): Promise<Outcome> {
  const form = page.locator('form').last();
  const led = form
    .filter({ has: page.locator('[role=alert]') })
    .filter({ has: page.locator('[role=alert]:focus, [data-wrong] :focus') });
  // A step that shows once more what was typed.
  const askedAgain = form.getByRole('button', { name: 'Back', exact: true });
  await form.locator('[type=submit]').click();
  await led.or(askedAgain).first().waitFor();
  if ((await led.count()) === 0) {
    await form.locator('[type=submit]').click();
    await led.waitFor();
  }
  return page.evaluate<Outcome>(OUTCOME);
}

const FOCUSED = `(() => {
  const field = document.activeElement;
  return {
    kind: field.getAttribute('role') ?? field.type,
    mode: field.inputMode ?? '',
    label: field.labels?.[0]?.textContent ?? '',
  };
})()`;
interface Focused {
  readonly kind: string;
  readonly mode: string;
  readonly label: string;
}

/** Something that the field takes, by what it is. */
const values: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  'datetime-local': '2099-11-28T21:00',
  password: 'correct horse battery',
  textarea: 'https://example.com/callback',
  url: 'https://example.com/callback',
  decimal: '20',
  numeric: '20',
};

/** Mends the field that has the focus, as somebody does who cannot see the others. */
export async function mendFocused(page: Page): Promise<void> {
  const { kind, mode, label } = await page.evaluate<Focused>(FOCUSED);
  const focused = page.locator(':focus');
  if (kind === 'combobox') {
    await focused.press('ArrowDown');
    await page.getByRole('option').first().click();
  } else if (kind === 'checkbox' || kind === 'radio') await focused.press('Space');
  else {
    const id = label === 'Policy id' ? 'aprp_06dpm2q4x8k3c0v9r7t5w1hzny' : undefined;
    await focused.fill(id ?? values[kind] ?? values[mode] ?? 'Billing');
  }
}
