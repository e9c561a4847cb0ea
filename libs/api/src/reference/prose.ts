import { html, type Html } from '@svc/http';

/** Paragraphs of a description, with `code` in them. */
export const prose = (text: string): Html =>
  html`${text.split('\n\n').map((paragraph) => html`<p>${phrase(paragraph)}</p>`)}`;

/** One paragraph's contents. */
export const phrase = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
