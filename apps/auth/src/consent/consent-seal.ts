import { csrfTokenFor, isCsrfTokenOf } from '@svc/access';
import { staleForm } from '../session/form-seal';

/**
 * Ties a consent form to the session and the exact request that it was shown for. A form of another session, app, scope
 * or redirect URI is refused.
 */
export const consentSeal = (sessionSecret: string, query: URLSearchParams): string =>
  csrfTokenFor(keyOf(sessionSecret, query));

/** @throws GatewayError `permissionDenied`. */
export function checkConsentSeal(sessionSecret: string, query: URLSearchParams, field: string): void {
  if (!isCsrfTokenOf(keyOf(sessionSecret, query), field)) throw staleForm();
}

const keyOf = (sessionSecret: string, query: URLSearchParams): string =>
  `${sessionSecret} ${query.toString()}`;
