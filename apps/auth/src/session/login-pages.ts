import { csrfTokenFor } from '@svc/identity';
import { html } from '@svc/platform';
import { type Page } from '../pages/page';
import { button, facts, heading, hiddenField, notice, textField } from '../pages/parts';
import { roleName } from '../pages/role-name';
import { type LiveSession } from './console-sessions';
import { CSRF_FIELD } from './form-seal';
import { PASSWORD_MAX } from './password';

export const LOGIN_PATH = '/auth/login';
export const EMAIL_MAX = 254;

export interface LoginForm {
  readonly csrfToken: string;
  readonly returnTo: string | null;
  /** As it was typed before; empty at first. */
  readonly email: string;
  readonly problem: string | null;
}

export const loginPage = ({ csrfToken, returnTo, email, problem }: LoginForm): Page => ({
  title: problem === null ? 'Log in' : 'Error: Log in',
  body: html`${heading('Log in')} ${problem === null ? null : notice(problem)}
    <form method="post" action="${LOGIN_PATH}">
      ${hiddenField(CSRF_FIELD, csrfToken)} ${returnTo === null ? null : hiddenField('return_to', returnTo)}
      ${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        value: email,
        maxLength: EMAIL_MAX,
        focused: email === '',
      })}
      ${textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: PASSWORD_MAX,
        focused: email !== '',
      })}
      ${button('Log in')}
    </form>`,
});

export const loggedInPage = ({ email, memberships, secret }: LiveSession): Page => ({
  title: 'You are logged in',
  body: html`${heading('You are logged in', html`As <strong>${email}</strong>`)}
    ${
      memberships.length === 0
        ? html`<p>You are not a member of any organization at the moment.</p>`
        : facts(memberships.map(({ organizationName, role }) => [organizationName, roleName(role)]))
    }
    <form method="post" action="/auth/logout">
      ${hiddenField(CSRF_FIELD, csrfTokenFor(secret))} ${button('Log out', { quiet: true })}
    </form>`,
});
