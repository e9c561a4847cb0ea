import { brand, html, htmlText, look, stylesheet, type Html } from '@svc/http';
import { type Documented } from './documented';
import { entriesOf, type Entry } from './entry';
import { entrySection, methodBadge } from './entry-section';
import { errorsSection } from './errors-section';
import { layout } from './layout';
import { prose } from './prose';

const style = stylesheet(look, layout);

/** The page loads nothing, runs nothing and sends nothing. */
export const referenceHeaders = {
  'content-security-policy': `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

interface Chapter {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

/** An OpenAPI document for people: one page without scripts, which needs no network. */
export function referencePage(document: Documented): string {
  const entries = entriesOf(document);
  const chapters = chaptersOf(document, entries);
  const baseUrl = document.servers?.[0]?.url ?? '';
  const named = document.components?.schemas ?? {};
  const { title, version, description = '' } = document.info;
  return htmlText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} API reference</title>
          ${style.element}
        </head>
        <body>
          <a class="skip" href="#content">Skip to the reference</a>
          <header class="top">
            <p class="brand">${brand}</p>
            <p class="muted small">API reference ${version}</p>
          </header>
          ${navigation(chapters)}
          <main id="content">
            <section class="introduction">
              <h1>${title} API</h1>
              ${prose(description)}
              <p>
                Base URL <code>${baseUrl}</code> · <a href="/api/v1/openapi.json">OpenAPI 3.1 document</a>
              </p>
            </section>
            ${chapters.map((chapter) => chapterSection(chapter, baseUrl, named))}
            <section id="errors">
              <h2>Errors</h2>
              ${errorsSection(entries)}
            </section>
          </main>
        </body>
      </html>`,
  );
}

function chaptersOf({ tags = [] }: Documented, entries: readonly Entry[]): Chapter[] {
  return tags.map(({ name, description = '' }) => ({
    id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    name,
    description,
    entries: entries.filter(({ tag }) => tag === name),
  }));
}

const navigation = (chapters: readonly Chapter[]): Html =>
  html`<nav aria-label="Contents">
    <ul>
      ${chapters.map(
        ({ id, name, entries }) =>
          html`<li>
            <a class="chapter" href="#${id}">${name}</a>
            <ul>
              ${entries.map(
                (entry) =>
                  html`<li>
                    <a href="#${entry.id}">${methodBadge(entry.method)} <span>${titleOf(entry)}</span></a>
                  </li>`,
              )}
            </ul>
          </li>`,
      )}
      <li><a class="chapter" href="#errors">Errors</a></li>
    </ul>
  </nav>`;

const titleOf = ({ operation: { summary } }: Entry): string => summary.replace(/\.$/, '');

function chapterSection(
  { id, name, description, entries }: Chapter,
  baseUrl: string,
  named: NonNullable<NonNullable<Documented['components']>['schemas']>,
): Html {
  return html`<section id="${id}">
    <h2>${name}</h2>
    <div class="about">${prose(description)}</div>
    ${entries.map((entry) => entrySection(entry, { baseUrl, named }))}
  </section>`;
}
