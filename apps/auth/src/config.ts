import { z } from 'zod';
import { MANAGEMENT_RPM_DEFAULT } from '@svc/api';
import { baseUrlVariable, serviceVariables } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';

const schema = z.object({
  ...serviceVariables(8083),
  SVC_BASE_URL: baseUrlVariable,
  SVC_MASTER_KEY: variables.masterKey,
  SVC_PLATFORM_TOKEN: variables.secret(16),
  SVC_MANAGEMENT_RPM: variables.callsPerMinute.default(MANAGEMENT_RPM_DEFAULT),
  SVC_SMTP_URL: variables.url(['smtp', 'smtps']).optional(),
  SVC_MAIL_FROM: variables.email.optional(),
});

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
