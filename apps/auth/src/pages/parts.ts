import { html, type Html } from '@svc/http';

/** The name of the page, and what it is about. */
export const heading = (title: string, about: string | Html | null = null): Html =>
  html`<div class="heading">
    <h1>${title}</h1>
    ${about === null ? null : html`<p>${about}</p>`}
  </div>`;

/** Says what went wrong; screen readers read it as the page loads. */
export const notice = (text: string): Html => html`<p class="notice" role="alert">${text}</p>`;

/** Says what was done. */
export const said = (text: string): Html => html`<p class="notice good" role="status">${text}</p>`;

export const link = (href: string, label: string): Html => html`<a href="${href}">${label}</a>`;

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password';
  /** The autofill field for password managers (HTML, autofill field names). */
  readonly autocomplete: 'username' | 'current-password' | 'new-password';
  readonly value?: string;
  readonly hint?: string;
  readonly problem?: string | null;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly focused?: boolean;
  /** Read-only: shown to the user and to password managers. */
  readonly fixed?: boolean;
  /** It may stay empty. */
  readonly optional?: boolean;
}

export function textField(field: TextField): Html {
  const { name, label, type, autocomplete, value, hint, problem = null, minLength, maxLength } = field;
  const described = [hint === undefined ? '' : `${name}-hint`, problem === null ? '' : `${name}-problem`];
  const ids = described.join(' ').trim();
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      ${constraintOf(field)}
      ${minLength === undefined ? null : html`minlength="${minLength}"`}
      ${value === undefined ? null : html`value="${value}"`}
      ${ids === '' ? null : html`aria-describedby="${ids}"`}
      ${problem === null ? null : html`aria-invalid="true"`}
      ${field.focused === true ? html`autofocus` : null}
    />
    ${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem === null ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </div>`;
}

function constraintOf({ fixed = false, optional = false }: TextField): Html | null {
  if (fixed) return html`readonly`;
  return optional ? null : html`required`;
}

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A button; `quiet` for a secondary action. Its `name` tells which of several buttons sent the form. */
export const button = (label: string, as: { quiet?: boolean; name?: string; value?: string } = {}): Html =>
  html`<button
    class="${as.quiet === true ? 'quiet' : 'main'}"
    ${as.name === undefined ? null : html`name="${as.name}" value="${as.value ?? ''}"`}
  >
    ${label}
  </button>`;

/** Terms with their descriptions. */
export const facts = (rows: readonly (readonly [term: string, description: string])[]): Html =>
  html`<dl class="facts">
    ${rows.map(
      ([term, description]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${description}</dd>
        </div>`,
    )}
  </dl>`;

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly about?: string;
  readonly chosen: boolean;
}

/** A question and its answers. The reader chooses any number of them (`checkbox`) or one (`radio`). */
export const choices = (
  question: string,
  kind: 'checkbox' | 'radio',
  name: string,
  answers: readonly Choice[],
): Html =>
  html`<fieldset>
    <legend>${question}</legend>
    <div class="choices">
      ${answers.map(
        ({ value, label, about, chosen }) =>
          html`<label>
            <input type="${kind}" name="${name}" value="${value}" ${chosen ? html`checked` : null} />
            <span>
              ${label} ${about === undefined ? null : html`<br /><span class="muted small">${about}</span>`}
            </span>
          </label>`,
      )}
    </div>
  </fieldset>`;
