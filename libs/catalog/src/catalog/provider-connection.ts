import { z } from 'zod';

import { fillVariables, type CatalogEnvironment } from './fill-variables';

/**
 * Connection settings that differ from the defaults of the provider's protocol
 * (docs/reference/models-and-catalog.md#your-own-upstream).
 */
export interface ConnectionSettings {
  /** In lower case. Null for the protocol's own header. */
  readonly credentialHeader: string | null;
  /** Null for `Bearer` in `authorization`, and nothing in other headers. */
  readonly credentialScheme: CredentialScheme | null;
  /** Sent with every call. Names are in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Encoded, without the `?`. Empty for none. */
  readonly query: string;
  /** Header and query values from the environment, which must stay secret. */
  readonly secrets: readonly string[];
}

type CredentialScheme = 'Bearer' | 'none';

/** A field name (RFC 9110 section 5.1). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A field value in ASCII (RFC 9110 section 5.5). A line break would begin another header. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers of the connection (RFC 9110 section 7.6.1), and those that the gateway sets for each body. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
/** Headers that carry credentials unless `credential_header` names another. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key']);

const NOT_A_NAME = 'must be the name of a header';
const OF_THE_CONNECTION = 'is a header that the gateway sets itself';

interface FilledValue {
  readonly text: string;
  readonly values: readonly string[];
}

const value = (env: CatalogEnvironment, allowed: RegExp, otherwise: string) =>
  z.string('must be a text').transform((written, check): FilledValue => {
    const filled = fillVariables(written, env);
    if ('text' in filled && allowed.test(filled.text)) return filled;
    const problem = 'problem' in filled ? filled.problem : otherwise;
    check.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

/** The connection fields of a provider's entry. */
export const connectionFields = (env: CatalogEnvironment) => ({
  credential_header: z
    .string('must be a text')
    .regex(FIELD_NAME, NOT_A_NAME)
    .toLowerCase()
    .refine((name) => !CONNECTION_HEADERS.has(name), OF_THE_CONNECTION)
    .optional(),
  credential_scheme: z.enum(['Bearer', 'none'], 'must be Bearer or none').optional(),
  headers: z
    .record(z.string(), value(env, FIELD_VALUE, 'must be visible ASCII on one line'), 'must be a mapping')
    .superRefine((headers, check) => {
      const seen = new Set<string>();
      for (const name of Object.keys(headers)) {
        const problem = problemOfName(name.toLowerCase(), seen);
        if (problem !== null) check.addIssue({ code: 'custom', path: [name], message: problem });
        seen.add(name.toLowerCase());
      }
    })
    .optional(),
  query: z
    .record(z.string(), value(env, /^[^\p{Cc}]*$/u, 'must be on one line'), 'must be a mapping')
    .optional(),
});

function problemOfName(name: string, seen: ReadonlySet<string>): string | null {
  if (!FIELD_NAME.test(name)) return NOT_A_NAME;
  if (CONNECTION_HEADERS.has(name)) return OF_THE_CONNECTION;
  if (CREDENTIAL_HEADERS.has(name)) return 'carries a credential: name it in credential_header';
  return seen.has(name) ? 'is listed twice' : null;
}

/** Reports a provider's fixed header that is also its credential's header. */
export function reportCredentialHeader(
  { credential_header: credentialHeader, headers = {} }: ConnectionEntry,
  report: (path: readonly string[], problem: string) => void,
): void {
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === credentialHeader) report(['headers', name], 'is the credential’s header');
  }
}

type ConnectionEntry = z.output<z.ZodObject<ReturnType<typeof connectionFields>>>;

/** @returns undefined for a provider that needs only the defaults of its protocol. */
export function connectionOf(entry: ConnectionEntry): ConnectionSettings | undefined {
  const { headers = {}, query = {} } = entry;
  const credentialHeader = entry.credential_header ?? null;
  const credentialScheme = entry.credential_scheme ?? null;
  const fixed = Object.entries(headers);
  const parameters = Object.entries(query);
  const isPlain = credentialHeader === null && credentialScheme === null;
  if (isPlain && fixed.length + parameters.length === 0) return undefined;
  return {
    credentialHeader,
    credentialScheme,
    headers: fixed.map(([name, { text }]) => [name.toLowerCase(), text] as const),
    query: new URLSearchParams(
      parameters.map(([name, { text }]): [string, string] => [name, text]),
    ).toString(),
    secrets: [...fixed, ...parameters].flatMap(([, { values }]) => values),
  };
}
