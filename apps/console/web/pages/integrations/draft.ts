import { eventsOf, typesOf, type Events } from '../../deliveries/events';
import { type Role } from '../../session/session';
import {
  defaultEventTypes,
  isChat,
  type Integration,
  type IntegrationChange,
  type Kind,
  type NewIntegration,
} from './integration';

type Config = NonNullable<IntegrationChange['config']>;
export type Signal = NonNullable<Config['signals']>[number];
type Encoding = NonNullable<Config['encoding']>;

/** The form of an integration, as it is typed. A secret that is kept is empty. */
export interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly url: string;
  readonly key: string;
  /** Whether the headers below are sent: those of an integration that is changed are kept otherwise. */
  readonly givesHeaders: boolean;
  readonly headers: string;
  readonly signals: readonly Signal[];
  readonly encoding: Encoding;
  readonly roles: readonly Role[];
  readonly members: readonly string[];
  readonly events: Events;
}

export function draftOf(integration: Integration | null): Draft {
  const { kind = 'slack', name = '', config = {}, event_types: types } = integration ?? {};
  return {
    kind,
    name,
    url: isChat(kind) ? '' : (config.url ?? ''),
    key: '',
    givesHeaders: integration === null,
    headers: '',
    signals: config.signals ?? ['traces', 'metrics'],
    encoding: config.encoding ?? 'protobuf',
    roles: config.roles ?? [],
    members: config.member_ids ?? [],
    events: eventsOf(types ?? defaultEventTypes),
  };
}

/** Header fields by their names; null where a line is none. */
export function readHeaders(typed: string): Readonly<Record<string, string>> | null {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const fields = lines.map((line) => /^([^\s:]+)\s*:\s*(.*)$/.exec(line));
  if (fields.some((field) => field === null)) return null;
  return Object.fromEntries(fields.map((field) => [field?.[1] ?? '', field?.[2] ?? '']));
}

/** The fields that the kind takes. What is empty on purpose, because it is kept, is left out. */
export function configOf(draft: Draft): Config {
  const { kind } = draft;
  const url = draft.url.trim();
  const givenUrl = url === '' ? {} : { url };
  switch (kind) {
    case 'slack':
    case 'discord':
    case 'teams':
      return givenUrl;
    case 'pagerduty': {
      const key = draft.key.trim();
      return { ...givenUrl, ...(key !== '' && { routing_key: key }) };
    }
    case 'email':
      return { roles: [...draft.roles], member_ids: [...draft.members] };
    case 'otlp':
      return {
        ...givenUrl,
        ...(draft.givesHeaders && { headers: readHeaders(draft.headers) ?? {} }),
        signals: [...draft.signals],
        encoding: draft.encoding,
      };
  }
}

/** Telemetry is no message: it has no events. */
const eventTypesOf = ({ kind, events }: Draft) => (kind === 'otlp' ? {} : { event_types: typesOf(events) });

export const newIntegrationOf = (draft: Draft): NewIntegration => ({
  kind: draft.kind,
  name: draft.name.trim(),
  config: configOf(draft),
  ...eventTypesOf(draft),
  enabled: true,
});

export const changeOf = (draft: Draft): IntegrationChange => ({
  name: draft.name.trim(),
  config: configOf(draft),
  ...eventTypesOf(draft),
});
