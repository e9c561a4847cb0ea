import { type FastifyReply } from 'fastify';
import { brand, html, htmlText, type Html } from '@svc/platform';
import { style } from './stylesheet';

export interface Page {
  /** What the tab and a screen reader say first. */
  readonly title: string;
  /** The contents of `main`, its `h1` first. */
  readonly body: Html;
}

/**
 * No `form-action`: browsers apply it to the redirects that follow a form too, so it would stop the way back to an
 * OAuth app. No `Cross-Origin-Opener-Policy`: an app may have opened the page as a pop-up and wait for it.
 */
const headers = {
  'content-security-policy': `default-src 'none'; style-src ${style.source}; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Sends a page, with what keeps it out of frames, caches and referrers (contract.md section 9, Pages). */
export function sendPage(reply: FastifyReply, status: number, page: Page): void {
  void reply.code(status).headers(headers).type('text/html; charset=utf-8').send(renderPage(page));
}

/** Redirects after a form was sent: the browser asks for the next page with GET, whatever it sent before. */
export function sendSeeOther(reply: FastifyReply, location: string): void {
  void reply.headers(headers).redirect(location, 303);
}

export const renderPage = ({ title, body }: Page): string =>
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
