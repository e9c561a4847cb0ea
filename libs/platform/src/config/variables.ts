import { z } from 'zod';

const wholeNumber = (what: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${what}`);

/** The service's variables, each validated once; apps compose their schemas of them (contract.md section 1). */
export const variables = {
  port: wholeNumber('a port number (0 to 65535)', 0, 65_535),
  host: z.string(),
  url: (protocols: readonly string[]) =>
    z.string().refine(
      (text) => {
        const url = URL.parse(text);
        return url !== null && protocols.includes(url.protocol.slice(0, -1));
      },
      `must be a URL (${protocols.join(', ')})`,
    ),
  flag: z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
  path: z.string(),
  email: z.email('must be an e-mail address'),
  secret: (minimum: number) => z.string().min(minimum, `must have at least ${String(minimum)} characters`),
  masterKey: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=?$/, 'must be 32 bytes in base64')
    .transform((text) => Buffer.from(text, 'base64')),
  nanos: z
    .string()
    .regex(/^\d{1,18}$/, 'must be an amount in nano-dollars (a whole number)')
    .transform(BigInt),
  logLevel: z.enum(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'must be fatal, error, warn, info, debug, trace or silent',
  ),
} as const;
