import { html, type Html } from '@svc/http';
import { phrase } from './prose';
import { type Field } from './schema-fields';

/** Fields as a list: name and type, then their description. */
export const fieldsTable = (title: string, fields: readonly Field[], tellsRequired: boolean): Html | null =>
  fields.length === 0
    ? null
    : html`<h4>${title}</h4>
        <dl class="fields">
          ${fields.map(
            (field) =>
              html`<div>
                <dt>
                  <code>${field.name}</code> <span class="type">${field.type}</span>
                  ${tellsRequired && field.required ? html`<span class="required">required</span>` : null}
                </dt>
                ${about(field)}
              </div>`,
          )}
        </dl>`;

function about({ description, values, bounds }: Field): Html | null {
  if (description === null && values.length === 0 && bounds === null) return null;
  return html`<dd>
    ${description === null ? null : html`<span>${phrase(description)}</span>`}
    ${values.length === 0 ? null : html`<span class="values">${values.map((value) => html`<code>${value}</code> `)}</span>`}
    ${bounds === null ? null : html`<span class="bounds">${bounds}</span>`}
  </dd>`;
}
