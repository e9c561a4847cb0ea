const markup = Symbol('markup');

/** Markup that is safe to send: made by {@link html} only. */
export interface Html {
  readonly [markup]: string;
}

type Value = string | number | Html | readonly Html[] | null;

/**
 * Markup whose every value is escaped unless it is markup itself: nothing has to be remembered where pages are
 * written. Values stand in text or between double quotes; null leaves nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { [markup]: parts.reduce((text, part, at) => text + render(values[at - 1] ?? null) + part) };
}

/** Text that the page's own code wrote for a place where markup is not read: a stylesheet. Never a value. */
export const unescaped = (text: string): Html => ({ [markup]: text });

export const htmlText = (html: Html): string => html[markup];

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return markup in value ? value[markup] : value.map(htmlText).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
