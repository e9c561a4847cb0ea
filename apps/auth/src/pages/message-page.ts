import { html } from '@svc/platform';
import { type Page } from './page';
import { heading } from './parts';

/** A page that only says something: what went wrong, mostly. */
export const messagePage = (title: string, message: string, requestId: string | null = null): Page => ({
  title,
  body: html`${heading(title, message)}${
    requestId === null ? null : html`<p class="muted small">Request ${requestId}</p>`
  }`,
});
