import { type IncidentSeverity, type IncidentState } from '@svc/incidents';
import { type IncidentRecord } from '@svc/incidents/store';
import { brand, html, htmlText, type Html } from '@svc/http';
import { type PublicStatus } from './public-status';
import { style } from './status-stylesheet';

/** The page needs no script, and no other site may show it in a frame. */
export const STATUS_PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const componentWords = {
  operational: 'Operational',
  degraded_performance: 'Degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Outage',
} as const;

const stateWords: Readonly<Record<IncidentState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

const severityWords: Readonly<Record<IncidentSeverity, string>> = {
  minor: 'Minor',
  major: 'Major',
  critical: 'Critical',
};

/** The status as a page for people (docs/reference/incidents.md#status-page). */
export const statusPage = ({
  readAt,
  indicator,
  description,
  components,
  open,
  past,
}: PublicStatus): string =>
  htmlText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${description} · Svc status</title>
          ${style.element}
        </head>
        <body>
          <header class="brand">${brand}</header>
          <main>
            <h1 class="overall ${indicator}">${description}</h1>
            ${
              open.length === 0
                ? null
                : html`<section>
                    <h2>Open incidents</h2>
                    ${open.map(incidentArticle)}
                  </section>`
            }
            <section>
              <h2>Components</h2>
              <ul class="components">
                ${components.map(
                  ({ name, status }) =>
                    html`<li>
                      <span>${name}</span> <span class="${status}">${componentWords[status]}</span>
                    </li>`,
                )}
              </ul>
            </section>
            <section>
              <h2>Last 90 days</h2>
              ${
                past.length === 0
                  ? html`<p class="muted">No incidents ended in the last 90 days.</p>`
                  : past.map(incidentArticle)
              }
            </section>
          </main>
          <footer class="muted small">
            As of ${timeOf(readAt)}. <a href="/status/summary.json">For programs</a>
          </footer>
        </body>
      </html>`,
  );

const incidentArticle = ({ id, title, severity, startedAt, resolvedAt, updates }: IncidentRecord): Html =>
  html`<article id="${id}">
    <h3>${title}</h3>
    <p class="muted small">
      ${severityWords[severity]}. Began
      ${timeOf(startedAt)}${resolvedAt === null ? null : html`, ended ${timeOf(resolvedAt)}`}.
    </p>
    <ol>
      ${updates
        .map(
          ({ state, at, message }) =>
            html`<li>
              <p class="small">
                <strong>${stateWords[state]}</strong> <span class="muted">${timeOf(at)}</span>
              </p>
              <p class="message">${message}</p>
            </li>`,
        )
        .reverse()}
    </ol>
  </article>`;

/** To the minute, in UTC: the page is the same for everybody. */
const timeOf = (time: Date): Html => {
  const text = time.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
};
