import { GatewayError } from '@svc/kernel';

export const ANTHROPIC_BETA = 'anthropic-beta';
const ANTHROPIC_VERSION = 'anthropic-version';

/** Anthropic's headers of a call (docs/reference/inference-and-compatibility.md#anthropics-headers). */
export interface AnthropicHeaders {
  /** Null when the caller gave none. */
  readonly version: string | null;
  /** Each once, in the caller's order. */
  readonly betas: readonly string[];
}

export const NO_ANTHROPIC_HEADERS: AnthropicHeaders = { version: null, betas: [] };

/** The version that a provider is sent when the caller gave none. */
export const DEFAULT_ANTHROPIC_VERSION = '2023-06-01';
/** Versions in which a messages call means what translation takes it to mean. */
const TRANSLATED_VERSIONS: ReadonlySet<string> = new Set([DEFAULT_ANTHROPIC_VERSION, '2026-10-21']);

const NONE: readonly string[] = [];

const VERSION = /^[\x21-\x7e]{1,64}$/;
/** A comma separates names, so no name has one. */
const BETA_NAME = /^[\x21-\x7e]{1,100}$/;
const BETAS_MAX = 32;

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * @param headers names in lower case
 * @throws GatewayError `invalidRequest` with the header as `param`
 */
export function anthropicHeadersIn(headers: ReceivedHeaders): AnthropicHeaders {
  const version = headers[ANTHROPIC_VERSION];
  const betas = headers[ANTHROPIC_BETA];
  if (version === undefined && betas === undefined) return NO_ANTHROPIC_HEADERS;
  return {
    version: version === undefined ? null : checkedVersion(String(version)),
    betas: betas === undefined ? [] : checkedBetas(String(betas)),
  };
}

/** The names of a list: trimmed, without empty ones, each once. Repeated headers arrive joined by commas. */
export function betaNames(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The headers to send, names in lower case. */
export function renderAnthropicHeaders({
  version,
  betas,
}: AnthropicHeaders): readonly (readonly [name: string, value: string])[] {
  const headers: (readonly [string, string])[] = [];
  if (version !== null) headers.push([ANTHROPIC_VERSION, version]);
  if (betas.length > 0) headers.push([ANTHROPIC_BETA, betas.join(',')]);
  return headers;
}

/** The names of the headers whose meaning is lost where they are not sent. */
export function lostAnthropicHeaders({ version, betas }: AnthropicHeaders): readonly string[] {
  if (version === null && betas.length === 0) return NONE;
  const lost: string[] = [];
  if (version !== null && !TRANSLATED_VERSIONS.has(version)) lost.push(ANTHROPIC_VERSION);
  if (betas.length > 0) lost.push(ANTHROPIC_BETA);
  return lost;
}

function checkedVersion(version: string): string {
  if (VERSION.test(version)) return version;
  throw invalid(ANTHROPIC_VERSION, 'must be 1 to 64 visible ASCII characters');
}

function checkedBetas(list: string): readonly string[] {
  const names = betaNames(list);
  if (names.length > BETAS_MAX) throw invalid(ANTHROPIC_BETA, `takes at most ${String(BETAS_MAX)} names`);
  if (names.every((name) => BETA_NAME.test(name))) return names;
  throw invalid(ANTHROPIC_BETA, 'takes names of 1 to 100 visible ASCII characters');
}

const invalid = (param: string, rule: string): GatewayError =>
  new GatewayError('invalidRequest', `The header \`${param}\` ${rule}.`, { param });
