import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { eventCatalogue, eventTypes } from '@svc/events';
import { type JsonValue, withConsoleLinks } from '@svc/kernel';
import { type MessageKind } from '../configuration/integration-kinds';
import { messageOf } from '../messages/message';
import { type IntegrationNotice } from '../messages/notice';
import { isSentTo } from '../messages/subscription';
import { renderMessage } from './render-message';

const kinds: readonly MessageKind[] = ['slack', 'discord', 'teams', 'pagerduty', 'email'];
const BASE_URL = 'https://svc.example.com';

const noticeOf = (type: string, data: object): IntegrationNotice => ({
  id: 'evt_06dpm2q4x8k3c0v9r7t5w1hzny',
  type,
  createdAt: '2026-11-20T12:00:00.000Z',
  data: data as IntegrationNotice['data'],
});
const fired = eventCatalogue['alert.fired'].example;
const notices = [
  ...eventTypes.map((type) => noticeOf(type, eventCatalogue[type].example)),
  noticeOf('alert.resolved', { ...fired, reason: 'recovered' }),
  noticeOf('alert.test', fired),
];

/** The first of each severity. */
const ofEachSeverity = Array.from(
  Map.groupBy(notices, (notice) => messageOf(notice).severity).values(),
  ([first]) => first!,
);
/** All kinds say the same of an event. A mail shows it of each, PagerDuty of the few that page, and the others their form. */
const shownFor = (kind: MessageKind) =>
  kind === 'email' || kind === 'pagerduty'
    ? notices.filter(({ type }) => isSentTo(kind, [], type))
    : ofEachSeverity;

const golden = (name: string, made: unknown): unknown => {
  const file = join(__dirname, 'golden', `${name}.json`);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  return JSON.parse(readFileSync(file, 'utf8'));
};

it('each event has its golden severity', () => {
  const made = Object.fromEntries(notices.map((notice) => [notice.type, messageOf(notice).severity]));
  expect(made).toEqual(golden('severities', made));
});

describe.each(kinds)('a message for %s', (kind) => {
  const render = (notice: IntegrationNotice): JsonValue =>
    JSON.parse(withConsoleLinks(renderMessage(kind, notice), BASE_URL)) as JsonValue;

  it('is the golden one (UPDATE_GOLDEN=1 writes them anew)', () => {
    const made = Object.fromEntries(shownFor(kind).map((notice) => [notice.type, render(notice)]));
    expect(made).toEqual(golden(kind, made));
  });

  it('lets no name mention, link, hide or break a line', () => {
    const part = fc.constantFrom(
      ...[
        '@channel',
        '@everyone',
        '<!channel>',
        '<@U1>',
        '<https://evil.example|x>',
        '[a](https://evil.example)',
      ],
      ...[
        'https://evil.example',
        'evil.example',
        '~town-square',
        '\n',
        '\r\n',
        '\u2028',
        '\u202e',
        '\uE000',
        '"',
        '\\',
        '&lt;',
      ],
      ...[
        '**',
        '`',
        '```',
        '![a](b)',
        ']',
        '(',
        '@',
        ':',
        '//',
        '.',
        'é😀',
        '\ud800',
        '#general',
        '<',
        '>',
        '|',
      ],
    );
    const name = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        name,
        fc.constantFrom('alert.fired', 'incident.opened', 'integration.test'),
        (text, type) => {
          const { example } = eventCatalogue[type as 'alert.fired'];
          const body = render(noticeOf(type, { ...example, name: text, title: text }));
          for (const shown of textsIn(body)) {
            expect(shown).not.toMatch(/@[\p{L}\p{N}]|\]\(|~[\p{L}]|[\u2028\u202e]/u);
            expect(shown).not.toMatch(/[a-z]:\/\/|evil\.[a-z]/);
            if (kind === 'slack') expect(shown).not.toMatch(/[<>]/);
            if (kind === 'discord') expect(shown).not.toMatch(/(?<!\\)[*`|<>]/);
            expect(kind === 'email' || !/[\r\n]/.test(shown)).toBe(true);
          }
        },
      ),
    );
  });
});

it('PagerDuty ends what it began, under the same key', () => {
  const event = (type: string, data: object) =>
    JSON.parse(renderMessage('pagerduty', noticeOf(type, data))) as Record<string, unknown>;
  const alert = { ...fired, alert_id: 'alt_1' };
  expect(event('alert.fired', alert)).toMatchObject({ event_action: 'trigger', dedup_key: 'alt_1' });
  expect(event('alert.resolved', alert)).toEqual({ event_action: 'resolve', dedup_key: 'alt_1' });
  const incident = { ...eventCatalogue['incident.opened'].example, incident_id: 'inc_1' };
  expect(event('incident.opened', incident)).toMatchObject({ event_action: 'trigger', dedup_key: 'inc_1' });
  expect(event('incident.resolved', incident)).toEqual({ event_action: 'resolve', dedup_key: 'inc_1' });
});

it('a name of any length leaves the limits of the services kept', () => {
  const long = noticeOf('alert.fired', { ...fired, name: '*'.repeat(5_000) });
  const parsed = (kind: MessageKind) => JSON.parse(renderMessage(kind, long)) as never;
  const { payload } = parsed('pagerduty') as { payload: { summary: string } };
  expect(payload.summary.length).toBeLessThanOrEqual(1_024);
  const { embeds } = parsed('discord') as { embeds: { title: string; fields: { value: string }[] }[] };
  expect(embeds[0]!.title.length).toBeLessThanOrEqual(256);
  for (const { value } of embeds[0]!.fields) expect(value.length).toBeLessThanOrEqual(1_024);
});

/** The texts of a body, but for links and names of schemas, which are ours. */
function textsIn(value: JsonValue, field = ''): readonly string[] {
  if (typeof value === 'string') {
    if (
      ['$schema', 'url', 'title_link', 'client_url', 'href', 'contentType', 'timestamp', 'class'].includes(
        field,
      )
    ) {
      return [];
    }
    return [field === 'text' ? value.replace(`${BASE_URL}/console/`, '').replace(/^alerts$/m, '') : value];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each as JsonValue, name));
}
