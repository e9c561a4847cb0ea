import { type z } from 'zod';

/** The environment has a missing or invalid variable. The message is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Validates the environment against an app's schema. An empty value counts as not set, so that compose files can pass
 * variables through.
 * @throws ConfigError that names every wrong variable in one line (docs/configuration.md#variables), never its value,
 * which may be a secret.
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new ConfigError(`Wrong environment: ${problems.join('; ')}`);
}

/** The variables that catalog entries refer to: by `credential_env`, and in `base_url`. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });
