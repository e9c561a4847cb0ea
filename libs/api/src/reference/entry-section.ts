import { html, type Html } from '@svc/http';
import { type JsonSchema, type NamedSchemas } from '../document/json-schema';
import { curlOf } from './curl';
import { type Content, type DocumentedAnswer, type DocumentedParameter } from './documented';
import { type Entry } from './entry';
import { errorLinks } from './errors-section';
import { fieldsTable } from './fields-table';
import { prose } from './prose';
import { fieldOf, fieldsOf, type Field } from './schema-fields';

export interface EntryOptions {
  readonly baseUrl: string;
  readonly named: NamedSchemas;
}

/** One route: its purpose, input, answers, and a call to paste. */
export function entrySection(entry: Entry, { baseUrl, named }: EntryOptions): Html {
  const { operation, answers } = entry;
  const successes = answers.filter(({ status }) => !isError(status));
  return html`<article id="${entry.id}">
    <header>
      <h3><a href="#${entry.id}">${operation.summary}</a></h3>
      ${entry.paths.map(
        (path) => html`<p class="route">${methodBadge(entry.method)} <code>${breakable(path)}</code></p>`,
      )}
    </header>
    <div class="text">
      ${operation.description === undefined ? null : prose(operation.description)} ${callersOf(entry)}
      ${parametersTables(entry.parameters, named)}
      ${fieldsTable('Body', fieldsIn(operation.requestBody?.content, named), true)}
      ${successes.flatMap(({ status, answer }) => answerTable(status, answer, named) ?? [])}
      ${errorLinks(answers)}
    </div>
    <div class="samples">
      ${sample('Call', curlOf(entry, baseUrl, named))}
      ${successes.flatMap(({ status, answer }) => answerSample(status, answer) ?? [])}
    </div>
  </article>`;
}

const isError = (status: string): boolean => Number(status) >= 400;

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`;

/** A long path breaks after a slash, where that suffices. */
const breakable = (path: string): readonly Html[] =>
  path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`);

/** Who may call: the permission of a key or role, and the scope of an access token. */
function callersOf({ operation }: Entry): Html {
  const { security = [], 'x-permission': permission, 'x-oauth-scope': scope } = operation;
  const schemes = security.flatMap(Object.keys);
  if (schemes.length === 0) return html`<p class="callers">Open to everybody.</p>`;
  if (schemes.includes('operator')) return html`<p class="callers">For the operator alone.</p>`;
  if (permission === undefined) return html`<p class="callers">${namesOf(schemes)}</p>`;
  const isForFew = !schemes.includes('apiKey') || !schemes.includes('session');
  return html`${isForFew ? html`<p class="callers">${namesOf(schemes)}</p>` : null}
    <dl class="callers">
      <div>
        <dt>Permission</dt>
        <dd>${permission === null ? 'none' : html`<code>${permission}</code>`}</dd>
      </div>
      <div>
        <dt>OAuth scope</dt>
        <dd>${scope == null ? 'closed to access tokens' : html`<code>${scope}</code>`}</dd>
      </div>
    </dl>`;
}

const schemeNames: Readonly<Record<string, string>> = {
  apiKey: 'an API key',
  accessToken: 'an access token',
  session: 'a console session',
};

const namesOf = (schemes: readonly string[]): string =>
  `Called with ${schemes.map((scheme) => schemeNames[scheme] ?? scheme).join(' or ')}.`;

const places = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' } as const;

const parametersTables = (parameters: readonly DocumentedParameter[], named: NamedSchemas): Html[] =>
  (['path', 'query', 'header'] as const).flatMap((place) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, description, required = false }) => ({
        ...fieldOf(name, schema, named, required),
        ...(description === undefined ? {} : { description }),
      }));
    return fieldsTable(places[place], fields, place !== 'path') ?? [];
  });

function answerTable(status: string, { content }: DocumentedAnswer, named: NamedSchemas): Html | null {
  if (content === undefined)
    return html`<h4>Answer ${status}</h4>
      <p class="muted">Without a body.</p>`;
  return fieldsTable(`Answer ${status}`, fieldsIn(content, named), false);
}

function fieldsIn(content: Content | undefined, named: NamedSchemas): Field[] {
  const schema: JsonSchema | undefined = Object.values<Content[string]>(content ?? {})[0]?.schema;
  return schema === undefined ? [] : fieldsOf(schema, named);
}

function answerSample(status: string, { content }: DocumentedAnswer): Html | null {
  const [body] = Object.values<Content[string]>(content ?? {});
  const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  if (example === undefined) return null;
  return sample(`Answer ${status}`, typeof example === 'string' ? example : JSON.stringify(example, null, 2));
}

const sample = (title: string, text: string): Html =>
  html`<figure>
    <figcaption>${title}</figcaption>
    <pre><code>${text}</code></pre>
  </figure>`;
