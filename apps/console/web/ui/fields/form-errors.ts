import { createContext, use, useEffect } from 'react';
import { ApiError } from '../../api/api-error';

/** The errors that a form hands its fields. `claim` says that a field shows the errors of this name. */
interface FormErrors {
  readonly error: Error | null;
  readonly claim: (name: string) => () => void;
}
export const FormContext = createContext<FormErrors>({ error: null, claim: () => () => undefined });

/** The message of the form's error, if it is about this field. */
export function useFieldError(name: string | undefined): string | null {
  const { error, claim } = use(FormContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  return name !== undefined && isAbout(error, name) ? error.message : null;
}

/** `limits` also for `limits.rpm` and `limits[2]`. */
export const isAbout = (error: Error | null, name: string): error is ApiError =>
  error instanceof ApiError &&
  error.param !== null &&
  (error.param === name || error.param.startsWith(`${name}.`) || error.param.startsWith(`${name}[`));
