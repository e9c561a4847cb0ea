const markup = Symbol('markup');

/** Markup that is safe to send. Only {@link html} makes it. */
export interface Html {
  readonly [markup]: string;
}

type Value = string | number | Html | readonly Html[] | null;

/**
 * A template that escapes every value unless it is markup itself. Put values into text or between double quotes. Null
 * renders nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { [markup]: parts.reduce((text, part, at) => text + render(values[at - 1] ?? null) + part) };
}

/** Constant text for a place without markup, such as a stylesheet. Never pass a value. */
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
