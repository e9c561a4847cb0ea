import { html, type Html } from '@svc/http';
import { textField } from '../pages/parts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password';
import { EMAIL_MAX } from './typed-email';

interface NewPasswordFields {
  readonly name: string;
  readonly label: string;
  readonly problem: string | null;
}

/** The new password, twice: the second time as `repeated_password`. */
export const newPasswordFields = ({ name, label, problem }: NewPasswordFields): Html =>
  html`${textField({
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${String(PASSWORD_MIN)} characters. A few unrelated words make a good one.`,
    problem,
    minLength: PASSWORD_MIN,
    maxLength: PASSWORD_MAX,
  })}
  ${repeatedPasswordField('The same password again')}`;

export const repeatedPasswordField = (label: string, { optional = false } = {}): Html =>
  textField({
    optional,
    name: 'repeated_password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    maxLength: PASSWORD_MAX,
  });

interface EmailField {
  readonly focused?: boolean;
  /** Of an account that is known: read-only, for password managers. */
  readonly fixed?: boolean;
}

/** The address of an account. */
export const emailField = (email: string, { focused = false, fixed = false }: EmailField): Html =>
  textField({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    value: email,
    maxLength: EMAIL_MAX,
    focused,
    fixed,
  });
