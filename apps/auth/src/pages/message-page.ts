import { html, type Html } from '@svc/http';
import { type Page } from './page';
import { heading } from './parts';

/** A page with a message only, mostly an error. */
export const messagePage = (
  title: string,
  message: string | Html,
  requestId: string | null = null,
  wayOn: Html | null = null,
): Page => ({
  title,
  body: html`${heading(title, message)}${
    requestId === null ? null : html`<p class="muted small">Request ${requestId}</p>`
  }${wayOn === null ? null : html`<p>${wayOn}</p>`}`,
});
