import { type z } from 'zod';
import { givenValue, type Environment } from './given-value';

/** The environment has a missing or invalid variable. The message is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Validates the environment against an app's schema. An empty value counts as not set, so that compose files can pass
 * variables through. Each variable may be in a file: `<NAME>_FILE`.
 * @throws ConfigError that names every wrong variable in one line (docs/configuration.md#variables), never its value,
 * which may be a secret.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: Environment = process.env): z.output<S> {
  const given: Record<string, string> = {};
  const unreadable = new Map<PropertyKey, string>();
  for (const name of Object.keys(schema.shape)) {
    const found = givenValue(env, name);
    if ('problem' in found) unreadable.set(name, found.problem);
    else if (found.value !== undefined) given[name] = found.value;
  }
  const result = schema.safeParse(given);
  if (result.success && unreadable.size === 0) return result.data;
  const invalid = (result.error?.issues ?? []).filter(({ path: [name = ''] }) => !unreadable.has(name));
  const problems = invalid.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new ConfigError(`Wrong environment: ${[...unreadable.values(), ...problems].join('; ')}`);
}
