import { type FastifyReply } from 'fastify';
import { brand, html, htmlText, type Html } from '@svc/http';
import { style } from './stylesheet';

export interface Page {
  /** The tab's title, which a screen reader reads first. */
  readonly title: string;
  /** The contents of `main`, its `h1` first. */
  readonly body: Html;
}

/**
 * No `form-action`: browsers also apply it to the redirects after a form, so it would block the redirect to an OAuth
 * app. No `Cross-Origin-Opener-Policy`: an app may have opened the page as a pop-up and may wait for it.
 */
const headers = {
  'content-security-policy': `default-src 'none'; style-src ${style.source}; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Sends a page with the headers that keep it out of frames, caches and referrers (docs/reference/oauth.md#consent). */
export function sendPage(reply: FastifyReply, status: number, page: Page): void {
  void reply.code(status).headers(headers).type('text/html; charset=utf-8').send(renderPage(page));
}

/** Redirects after a form: the browser always fetches the next page with GET. */
export function sendSeeOther(reply: FastifyReply, location: string): void {
  void reply.headers(headers).redirect(location, 303);
}

const renderPage = ({ title, body }: Page): string =>
  htmlText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} · Svc</title>
          ${style.element}
        </head>
        <body>
          <header class="brand">${brand}</header>
          <main>${body}</main>
        </body>
      </html>`,
  );
