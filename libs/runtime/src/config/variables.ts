import { accessSync, constants } from 'node:fs';
import { addressListOf, isFault, parseAddressRange, type TrustedProxies } from '@svc/kernel';
import { type MasterKey } from '../sealing/sealer';
import { z } from 'zod';

const wholeNumber = (what: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be ${what}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${what}`);

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const PROXIES_MAX = 100;
const PROXIES = `must be a whole number (0 to ${String(PROXIES_MAX)}), or addresses and CIDRs separated by commas`;

/** A number of proxies, or who they are. */
const trustedProxies = z.string().transform((text, { addIssue }): TrustedProxies => {
  if (/^\d+$/.test(text)) {
    if (Number(text) <= PROXIES_MAX) return Number(text);
    addIssue(PROXIES);
    return z.NEVER;
  }
  const entries = text.split(',').map((entry) => entry.trim());
  for (const [at, entry] of entries.entries()) {
    const range = parseAddressRange(entry);
    if (!isFault(range)) continue;
    const problem = range.fault === 'host_bits' ? 'has bits set behind its prefix' : 'is neither';
    addIssue(`${PROXIES}; entry ${String(at + 1)} ${problem}`);
  }
  return addressListOf(entries);
});

/** The service's variables, each validated once; apps compose their schemas of them (docs/configuration.md#variables). */
export const variables = {
  port: wholeNumber('a port number (0 to 65535)', 0, 65_535),
  host: z.string(),
  count: wholeNumber('a whole number (0 to 100)', 0, 100),
  /** Whose `X-Forwarded-For` is believed (docs/configuration.md#the-clients-address). */
  trustedProxies,
  /** Of one caller. */
  callsPerMinute: wholeNumber('a whole number of calls (1 to 1000000)', 1, 1_000_000),
  /** A span of time that is at least a second and at most a day. */
  secondsOfDay: wholeNumber('a whole number of seconds (1 to 86400)', 1, 86_400),
  retentionMonths: wholeNumber('a whole number of months (2 to 600)', 2, 600),
  endUsers: wholeNumber('a whole number of end users (0 to 10000000)', 0, 10_000_000),
  priceBps: wholeNumber('a whole number of basis points (0 to 100000)', 0, 100_000),
  rows: wholeNumber('a whole number of rows (1 to 1000000000)', 1, 1_000_000_000),
  /** As a share: 0.25 of `25`. */
  percent: wholeNumber('a whole number of percent (1 to 100)', 1, 100).transform((percent) => percent / 100),
  fileBytes: wholeNumber('a whole number of bytes (1 to 10737418240)', 1, 10_737_418_240),
  days: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,9})?$/, 'must be a number of days, with decimals')
    .transform(Number)
    .refine((days) => days > 0, 'must be more than 0 days'),
  tickSeconds: wholeNumber('a whole number of seconds (1 to 3600)', 1, 3_600),
  url: (protocols: readonly string[]) =>
    z.string().refine(
      (text) => {
        const url = URL.parse(text);
        return url !== null && protocols.includes(url.protocol.slice(0, -1));
      },
      `must be a URL (${protocols.join(', ')})`,
    ),
  /** Comma-separated `host:port`. */
  brokers: z
    .string()
    .regex(/^[\w.-]+:\d+(,[\w.-]+:\d+)*$/, 'must be host:port, separated by commas')
    .transform((text) => text.split(',')),
  /** As Kafka allows in names, with room for what follows it. */
  kafkaPrefix: z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must be letters, digits, dots, - and _'),
  /** Seconds, separated by commas. */
  delays: (count: number) =>
    z
      .string()
      .regex(
        new RegExp(`^\\d{1,7}(,\\d{1,7}){${String(count - 1)}}$`),
        `must be ${String(count)} whole numbers of seconds, separated by commas`,
      )
      .transform((text) => text.split(',').map(Number)),
  flag: z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
  path: z.string(),
  /** Comma-separated paths. A missing file is found at the start, and not when it is first read. */
  files: z
    .string()
    .transform((text) => text.split(',').map((path) => path.trim()))
    .refine(
      (paths) => paths.every(isReadable),
      'must name a file that can be read, or several, separated by commas (a relative path begins in the folder of the start)',
    ),
  email: z.email('must be an e-mail address'),
  /** Where people can be reached. */
  contact: z.union(
    [z.email(), z.url({ protocol: /^https?$/ })],
    'must be an e-mail address or a URL (https, http)',
  ),
  secret: (minimum: number) => z.string().min(minimum, `must have at least ${String(minimum)} characters`),
  /** One key, or two while one takes the place of the other: docs/rotate-keys.md. */
  masterKey: z
    .string()
    .regex(
      /^[A-Za-z0-9+/]{43}=?(,[A-Za-z0-9+/]{43}=?)?$/,
      'must be 32 bytes in base64, or two such keys separated by a comma',
    )
    .transform((text): MasterKey => {
      const [current = '', previous] = text.split(',');
      const key = Buffer.from(current, 'base64');
      return previous === undefined ? key : [key, Buffer.from(previous, 'base64')];
    }),
  nanos: z
    .string()
    .regex(/^\d{1,18}$/, 'must be an amount in nano-dollars (a whole number)')
    .transform(BigInt),
  logLevel: z.enum(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'must be fatal, error, warn, info, debug, trace or silent',
  ),
} as const;
