import { type ErrorName } from '@svc/kernel';
import { errorAnswers } from '../document/error-answers';

/** The heading of these routes, and of those of fine-tuning jobs, in the reference. */
export const TAG = 'Fine-tuning';

export const reads = [{ apiKey: ['fine_tuning:read'] }];
export const writes = [{ apiKey: ['fine_tuning:write'] }];

/** The errors of every route, and more. */
export const errors = (...more: readonly ErrorName[]) =>
  errorAnswers([
    'invalidRequest',
    'invalidApiKey',
    'invalidToken',
    'tokenRevoked',
    'permissionDenied',
    'insufficientScope',
    ...more,
    'unhandled',
    'overloaded',
  ]);
