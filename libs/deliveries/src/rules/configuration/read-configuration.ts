import { readWebhookUrl, type WebhookUrlPolicy } from '@svc/events';
import { type JsonValue } from '@svc/kernel';
import { type IntegrationKind } from './integration-kinds';
import { PAGERDUTY_URL, PAGERDUTY_URLS } from './service-urls';

/** The fields of a configuration, as people give them. Which ones a kind takes is decided here. */
export interface GivenConfiguration {
  readonly url?: string | undefined;
  readonly routing_key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signals?: readonly ('traces' | 'metrics')[] | undefined;
  readonly encoding?: 'protobuf' | 'json' | undefined;
  readonly member_ids?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}

/** The fields that are sealed when they are stored. */
export type ConfigurationSecret = Readonly<
  Partial<Pick<Required<GivenConfiguration>, 'url' | 'routing_key' | 'headers'>>
>;

export interface Configuration {
  /** The configuration as it is shown: a secret by its last characters, a secret URL by its origin. */
  readonly shown: Readonly<Record<string, JsonValue>>;
  /** Null for a configuration without secrets. */
  readonly secret: ConfigurationSecret | null;
}

interface Problem {
  /** `config.url` */
  readonly param: string;
  /** Worded to follow the field's name. */
  readonly problem: string;
  readonly isUrl?: true;
}

type Field = keyof GivenConfiguration;

interface KindFields {
  readonly required: readonly Field[];
  readonly optional: readonly Field[];
}

const chat: KindFields = { required: ['url'], optional: [] };

const fieldsOf: Readonly<Record<IntegrationKind, KindFields>> = {
  slack: chat,
  discord: chat,
  teams: chat,
  pagerduty: { required: ['routing_key'], optional: ['url'] },
  email: { required: [], optional: ['member_ids', 'roles'] },
  otlp: { required: ['url'], optional: ['headers', 'signals', 'encoding'] },
};

const HEADERS_MAX = 10;
const HEADER_BYTES_MAX = 4_096;
/** The names of RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e]*$/;
/** Headers that the service sets itself, or that concern one connection. */
const OWN_HEADERS = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'user-agent',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/**
 * Reads the whole configuration of a kind (docs/reference/integrations.md#kinds).
 * @param policy decides which hosts a URL may have. Addresses are checked again at each connection.
 */
export function readConfiguration(
  kind: IntegrationKind,
  given: GivenConfiguration,
  policy: WebhookUrlPolicy,
): Configuration | Problem {
  const problem = problemOfFields(kind, given) ?? problemOfHeaders(given.headers);
  if (problem !== null) return problem;
  const url = urlOf(kind, given.url, policy);
  if (url !== undefined && typeof url !== 'string') return url;
  switch (kind) {
    case 'slack':
    case 'discord':
    case 'teams':
      return { shown: { url: new URL(url ?? '').origin }, secret: { url: url ?? '' } };
    case 'pagerduty':
      return pagerDuty(given.routing_key ?? '', url ?? PAGERDUTY_URL);
    case 'email':
      return email(given);
    case 'otlp':
      return otlp(given, url ?? '');
  }
}

function problemOfFields(kind: IntegrationKind, given: GivenConfiguration): Problem | null {
  const { required, optional } = fieldsOf[kind];
  const isGiven = (field: Field): boolean => given[field] !== undefined;
  const unknown = (Object.keys(given) as Field[]).find(
    (field) => isGiven(field) && !required.includes(field) && !optional.includes(field),
  );
  if (unknown !== undefined) return { param: `config.${unknown}`, problem: `is no field of ${kind}` };
  const missing = required.find((field) => !isGiven(field));
  return missing === undefined ? null : { param: `config.${missing}`, problem: `is required for ${kind}` };
}

function urlOf(
  kind: IntegrationKind,
  text: string | undefined,
  policy: WebhookUrlPolicy,
): string | Problem | undefined {
  if (text === undefined) return undefined;
  const read = readWebhookUrl(text, policy);
  if ('problem' in read) return { param: 'config.url', problem: read.problem, isUrl: true };
  if (kind === 'pagerduty' && !policy.allowPrivate && !PAGERDUTY_URLS.includes(read.url)) {
    return { param: 'config.url', problem: `must be one of ${PAGERDUTY_URLS.join(', ')}`, isUrl: true };
  }
  return read.url;
}

function pagerDuty(routingKey: string, url: string): Configuration | Problem {
  if (!/^[\u0021-\u007e]{1,100}$/.test(routingKey)) {
    return { param: 'config.routing_key', problem: 'must be 1 to 100 characters without spaces' };
  }
  return { shown: { url, routing_key: masked(routingKey) }, secret: { routing_key: routingKey } };
}

function email({ member_ids: memberIds = [], roles = [] }: GivenConfiguration): Configuration | Problem {
  if (memberIds.length + roles.length === 0) {
    return { param: 'config.member_ids', problem: 'must name a member, or roles must name a role' };
  }
  return { shown: { member_ids: [...memberIds], roles: [...roles] }, secret: null };
}

function otlp(
  { headers = {}, signals = ['traces', 'metrics'], encoding = 'protobuf' }: GivenConfiguration,
  url: string,
): Configuration {
  const names = Object.keys(headers);
  const shownHeaders = Object.fromEntries(names.map((name) => [name, masked(headers[name] ?? '')]));
  return {
    shown: { url, headers: shownHeaders, signals: [...signals], encoding },
    secret: names.length === 0 ? null : { headers },
  };
}

function problemOfHeaders(headers: Readonly<Record<string, string>> | undefined): Problem | null {
  if (headers === undefined) return null;
  const param = 'config.headers';
  const entries = Object.entries(headers);
  if (entries.length > HEADERS_MAX) {
    return { param, problem: `must be at most ${String(HEADERS_MAX)} headers` };
  }
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), 0);
  if (bytes > HEADER_BYTES_MAX) {
    return { param, problem: `must have at most ${String(HEADER_BYTES_MAX)} bytes together` };
  }
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const of = `${param}.${name}`;
    if (!HEADER_NAME.test(name)) return { param, problem: 'must have valid names of headers' };
    if (OWN_HEADERS.has(name.toLowerCase())) return { param: of, problem: 'is set by the service' };
    if (seen.size === seen.add(name.toLowerCase()).size) return { param: of, problem: 'is given twice' };
    if (!HEADER_VALUE.test(value)) return { param: of, problem: 'must be printable ASCII' };
  }
  return null;
}

/** Four characters of a shorter secret would be more than half of it. */
const SHOWN_FROM_LENGTH = 8;

const masked = (secret: string) => ({ last4: secret.length < SHOWN_FROM_LENGTH ? '' : secret.slice(-4) });
