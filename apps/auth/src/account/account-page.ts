import { csrfTokenFor } from '@svc/access';
import { html, type Html } from '@svc/http';
import { type Page } from '../pages/page';
import { button, heading, hiddenField, said, textField } from '../pages/parts';
import { CSRF_FIELD } from '../session/form-seal';
import { ACCOUNT_PATH, logoutForm } from '../session/login-pages';
import { PASSWORD_MAX } from '../session/password';
import { emailField, newPasswordFields } from '../session/password-fields';
import { describeUserAgent } from './describe-user-agent';
import { type ShownSession } from './user-sessions';

const PASSWORD_PATH = '/auth/password';
const SESSIONS_PATH = '/auth/sessions';

/** The notice that the page shows, by the value of `done` in its query. */
const done: Readonly<Record<string, string>> = {
  password: 'Your password is changed, and your other sessions have ended.',
  session: 'The session has ended.',
  others: 'Your other sessions have ended.',
};

export const accountPathAfter = (what: 'password' | 'session' | 'others'): string =>
  `${ACCOUNT_PATH}?done=${what}`;

interface Account {
  readonly email: string;
  readonly sessionSecret: string;
  readonly sessions: readonly ShownSession[];
}

export interface Said {
  /** The query's `done`. */
  readonly done?: unknown;
  readonly problems?: Readonly<{ current_password?: string; new_password?: string }>;
}

export function accountPage(account: Account, { done: what, problems = {} }: Said): Page {
  const message = Object.entries(done).find(([name]) => name === what)?.[1];
  const isWrong = Object.keys(problems).length > 0;
  return {
    title: isWrong ? 'Error: Your account' : 'Your account',
    body: html`${heading('Your account', html`You are logged in as <strong>${account.email}</strong>.`)}
    ${message === undefined ? null : said(message)} ${passwordSection(account, problems)}
    ${sessionsSection(account)} ${logoutForm(account.sessionSecret)}`,
  };
}

const sealed = (secret: string): Html => hiddenField(CSRF_FIELD, csrfTokenFor(secret));

const passwordSection = (
  { email, sessionSecret }: Account,
  { current_password: wrong = null, new_password: problem = null }: Record<string, string | null>,
): Html =>
  html`<section>
    <h2>Change your password</h2>
    <p class="muted">
      A new password ends your other sessions. Apps that you have allowed to act for you stay allowed.
    </p>
    <form method="post" action="${PASSWORD_PATH}">
      ${sealed(sessionSecret)} ${emailField(email, { fixed: true })}
      ${textField({
        name: 'current_password',
        label: 'Current password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: PASSWORD_MAX,
        problem: wrong,
      })}
      ${newPasswordFields({ name: 'new_password', label: 'New password', problem })}
      ${button('Change the password')}
    </form>
  </section>`;

const sessionsSection = ({ sessions, sessionSecret }: Account): Html =>
  html`<section>
    <h2>Where you are logged in</h2>
    <ul class="rows">
      ${sessions.map((session) => sessionRow(session, sessionSecret))}
    </ul>
    ${
      sessions.length < 2
        ? null
        : html`<form method="post" action="${SESSIONS_PATH}/end-others">
            ${sealed(sessionSecret)} ${button('End all others', { quiet: true })}
          </form>`
    }
  </section>`;

const sessionRow = (
  { id, userAgent, address, createdAt, lastSeenAt, isCurrent }: ShownSession,
  secret: string,
): Html =>
  html`<li>
    <div id="${id}">
      <strong>${describeUserAgent(userAgent)}</strong>${isCurrent ? ', this one' : null}
      <p class="muted small">
        ${address === null ? null : html`${address}<br />`}since
        ${time(createdAt)}${isCurrent ? null : html`<br />last used ${time(lastSeenAt)}`}
      </p>
    </div>
    ${
      isCurrent
        ? null
        : html`<form method="post" action="${SESSIONS_PATH}/${id}/end">
            ${sealed(secret)}
            <button class="quiet" aria-describedby="${id}">End</button>
          </form>`
    }
  </li>`;

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const time = (at: Date): Html => html`<time datetime="${at.toISOString()}">${format.format(at)} UTC</time>`;
