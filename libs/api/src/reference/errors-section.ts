import { html, type Html } from '@svc/http';
import { type DocumentedAnswer } from './documented';
import { type Entry } from './entry';
import { phrase } from './prose';

type Answers = Entry['answers'];

interface DocumentedError {
  readonly status: string;
  readonly code: string;
  readonly type: string;
  readonly retriable: boolean;
  readonly meaning: string;
}

/** The errors of one route, each with a link to its meaning. */
export function errorLinks(answers: Answers): Html | null {
  const errors = errorsIn(answers);
  if (errors.length === 0) return null;
  return html`<h4>Errors</h4>
    <ul class="errors">
      ${errors.map(
        ({ status, code }) =>
          html`<li>
            <a href="#${anchorOf(status, code)}">${status} <code>${code}</code></a>
          </li>`,
      )}
    </ul>`;
}

/** Every error of every route, once. */
export function errorsSection(entries: readonly Entry[]): Html {
  const errors = new Map(
    entries
      .flatMap(({ answers }) => errorsIn(answers))
      .map((error) => [anchorOf(error.status, error.code), error]),
  );
  const sorted = [...errors].sort(([left], [right]) => left.localeCompare(right));
  return html`<dl class="catalogue">
    ${sorted.map(
      ([anchor, { status, code, type, retriable, meaning }]) =>
        html`<div id="${anchor}">
          <dt>${status} <code>${code}</code></dt>
          <dd>
            ${phrase(meaning)}
            <span class="bounds">type ${type}${retriable ? ', may be retried' : ''}</span>
          </dd>
        </div>`,
    )}
  </dl>`;
}

const anchorOf = (status: string, code: string): string => `error-${status}-${code}`;

const errorsIn = (answers: Answers): DocumentedError[] =>
  answers
    .filter(({ status }) => Number(status) >= 400)
    .flatMap(({ status, answer }) => errorsOf(status, answer));

/** An error answer has one example per code; its description gives their meanings, in the same order. */
function errorsOf(status: string, { description, content }: DocumentedAnswer): DocumentedError[] {
  const examples = Object.values(content?.['application/json']?.examples ?? {});
  const byCode = new Map<string, DocumentedError>();
  for (const { value } of examples) {
    const { code, type, retriable } = (value as { error: Omit<DocumentedError, 'status' | 'meaning'> }).error;
    const meaning = new RegExp(`\`${code}\`: (.*?)(?:; \`\\w+\`: |$)`).exec(description)?.[1] ?? '';
    byCode.set(code, { status, code, type, retriable, meaning });
  }
  return [...byCode.values()];
}
