import { z } from 'zod';

import { problemOfVariable, type CatalogEnvironment } from './fill-variables';

/** A credential of the platform, in a variable (docs/credential-pools.md#the-platforms). */
export interface EnvCredential {
  /** The name of the variable. */
  readonly env: string;
  /** Its share of the calls, beside the weights of the provider's others. 0: after all others. */
  readonly weight: number;
  /** Calls per minute; null for no limit of its own. */
  readonly rateLimitRpm: number | null;
  /** Tokens per minute; null for no limit of its own. */
  readonly rateLimitTpm: number | null;
}

const WEIGHT_MAX = 1_000;
const WEIGHT_DEFAULT = 100;
const FORM =
  'must be the name of a variable, or a list of names and {env, weight, rate_limit_rpm, rate_limit_tpm}';
const OUT_OF_RANGE = `must be from 0 to ${String(WEIGHT_MAX)}`;

/** The variable alone, as the catalog mostly names it. */
export const envCredential = (env: string): EnvCredential => ({
  env,
  weight: WEIGHT_DEFAULT,
  rateLimitRpm: null,
  rateLimitTpm: null,
});

/** `credential_env`: a variable, or several that share the calls. */
export const credentialEnv = (environment: CatalogEnvironment) => {
  const variable = z
    .string(FORM)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable')
    .superRefine((name, check) => {
      const problem = problemOfVariable(name, environment);
      if (problem !== null) check.addIssue({ code: 'custom', message: problem });
    });
  const rate = z.int(FORM).positive('must be above 0').nullable().default(null);
  const weighted = z.strictObject(
    {
      env: variable,
      weight: z.int(FORM).min(0, OUT_OF_RANGE).max(WEIGHT_MAX, OUT_OF_RANGE).default(WEIGHT_DEFAULT),
      rate_limit_rpm: rate,
      rate_limit_tpm: rate,
    },
    FORM,
  );
  const several = z
    .array(z.union([variable, weighted], FORM), FORM)
    .min(1, 'must name a variable')
    .superRefine(reportTwice);
  // One transformation at the end: inside a union it would hide which form has the problem.
  return z
    .union([variable, several], FORM)
    .transform((written) => (typeof written === 'string' ? [written] : written).map(credentialOf));
};

type Written =
  string | { env: string; weight: number; rate_limit_rpm: number | null; rate_limit_tpm: number | null };

function credentialOf(written: Written): EnvCredential {
  if (typeof written === 'string') return envCredential(written);
  const { env, weight, rate_limit_rpm: rateLimitRpm, rate_limit_tpm: rateLimitTpm } = written;
  return { env, weight, rateLimitRpm, rateLimitTpm };
}

/** Two entries of one variable would be one credential with two weights. */
function reportTwice(listed: readonly Written[], check: z.RefinementCtx): void {
  const names = new Set<string>();
  listed.forEach((written, at) => {
    const { env } = credentialOf(written);
    if (names.has(env)) check.addIssue({ code: 'custom', path: [at], message: `${env} is listed twice` });
    names.add(env);
  });
}
