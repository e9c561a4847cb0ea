import { csrfTokenFor } from '@svc/access';
import { html, type Html } from '@svc/http';
import { type Page } from '../pages/page';
import { button, facts, heading, hiddenField, link, notice, said, textField } from '../pages/parts';
import { roleName } from '../pages/role-name';
import { type LiveSession } from './console-sessions';
import { CSRF_FIELD } from './form-seal';
import { PASSWORD_MAX } from './password';
import { emailField } from './password-fields';

export const LOGIN_PATH = '/auth/login';
/** The reason to log in, in the query of {@link LOGIN_PATH}. */
export const PASSWORD_CHANGED = 'password_changed';
/** The browser application, which people go on to where nothing else was asked for. */
export const CONSOLE_PATH = '/console/';
export const ACCOUNT_PATH = '/auth/account';
export const PASSWORD_RESET_PATH = '/auth/password-reset';

interface LoginForm {
  readonly csrfToken: string;
  readonly returnTo: string | null;
  /** The address typed before; empty at first. */
  readonly email: string;
  readonly problem: string | null;
  /** True where the visitor comes from setting a new password. */
  readonly hasNewPassword: boolean;
  /** True where a forgotten password can be reset by mail. */
  readonly canReset: boolean;
}

export const loginPage = ({
  csrfToken,
  returnTo,
  email,
  problem,
  hasNewPassword,
  canReset,
}: LoginForm): Page => ({
  title: problem === null ? 'Log in' : 'Error: Log in',
  body: html`${heading('Log in')} ${problem === null ? null : notice(problem)}
    ${hasNewPassword && problem === null ? said('Your new password is set. Log in with it.') : null}
    <form method="post" action="${LOGIN_PATH}">
      ${hiddenField(CSRF_FIELD, csrfToken)} ${returnTo === null ? null : hiddenField('return_to', returnTo)}
      ${emailField(email, { focused: email === '' })}
      ${textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: PASSWORD_MAX,
        focused: email !== '',
      })}
      ${button('Log in')}
    </form>
    ${canReset ? html`<p>${link(PASSWORD_RESET_PATH, 'Forgot your password?')}</p>` : null}`,
});

export const loggedInPage = ({ email, memberships, secret }: LiveSession): Page => ({
  title: 'You are logged in',
  body: html`${heading('You are logged in', html`As <strong>${email}</strong>`)}
    ${
      memberships.length === 0
        ? html`<p>You are not a member of any organization at the moment.</p>`
        : facts(memberships.map(({ organizationName, role }) => [organizationName, roleName(role)]))
    }
    <p>${link(CONSOLE_PATH, 'Go to the console')}</p>
    <p>${link(ACCOUNT_PATH, 'Your account: password and sessions')}</p>
    ${logoutForm(secret)}`,
});

export const logoutForm = (sessionSecret: string): Html =>
  html`<form method="post" action="/auth/logout">
    ${hiddenField(CSRF_FIELD, csrfTokenFor(sessionSecret))} ${button('Log out', { quiet: true })}
  </form>`;
