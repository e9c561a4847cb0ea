import { processVariables } from './process-variables';
import { variables } from '@svc/runtime/config';

/** The variables of a separate service that keeps its state in the database. */
export const serviceVariables = (defaultPort: number) => ({
  ...processVariables(defaultPort),
  SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']),
});

/** `{base_url}`, without a trailing slash. */
export const baseUrlVariable = variables
  .url(['http', 'https'])
  .default('http://localhost:8080')
  .transform((url) => url.replace(/\/+$/, ''));
