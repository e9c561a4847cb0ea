import { z } from 'zod';
import { checkKafkaVariables, kafkaVariables } from '@svc/messaging';
import { baseUrlVariable, serviceVariables } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';

const schema = z
  .object({
    ...serviceVariables(8084),
    SVC_BASE_URL: baseUrlVariable,
    ...kafkaVariables,
    SVC_MASTER_KEY: variables.masterKey,
    SVC_SMTP_URL: variables.url(['smtp', 'smtps']).optional(),
    SVC_MAIL_FROM: variables.email.optional(),
    SVC_WEBHOOK_ALLOW_PRIVATE: variables.flag.default(false),
    SVC_WEBHOOK_RETRY_DELAYS: variables.delays(5).optional(),
  })
  .superRefine(checkKafkaVariables);

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
