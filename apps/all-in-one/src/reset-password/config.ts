import { z } from 'zod';
import { loadConfig, variables } from '@svc/runtime/config';

const schema = z.object({
  SVC_PORT: variables.port.default(8080),
  SVC_BASE_URL: variables.url(['http', 'https']).optional(),
  SVC_DATA_DIR: variables.path.default('.svc'),
  SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']).optional(),
});

export type ResetPasswordConfig = z.output<typeof schema>;

/**
 * The configuration of the command that prints a reset link.
 * @throws ConfigError in one line that names what is wrong.
 */
export const readResetPasswordConfig = (): ResetPasswordConfig => loadConfig(schema);
