import { type IntegrationKind } from './integration-kinds';
import { readConfiguration, type GivenConfiguration } from './read-configuration';

const policy = { allowPrivate: false, ownHosts: ['svc.example.com'] };
const read = (kind: IntegrationKind, given: GivenConfiguration, allowPrivate = false) =>
  readConfiguration(kind, given, { ...policy, allowPrivate });
const SLACK = 'https://hooks.slack.com/services/T0/B0/secret';
const headersOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${String(at)}`, 'value']));

describe('a configuration', () => {
  it.each(['slack', 'discord', 'teams'] as const)('of %s shows the origin of its URL only', (kind) => {
    expect(read(kind, { url: SLACK })).toEqual({
      shown: { url: 'https://hooks.slack.com' },
      secret: { url: SLACK },
    });
  });

  it('of pagerduty shows the last characters of its key, and has a URL by default', () => {
    expect(read('pagerduty', { routing_key: 'R0UT1NGKEY0123456789abcdefABCDEF' })).toEqual({
      shown: { url: 'https://events.pagerduty.com/v2/enqueue', routing_key: { last4: 'CDEF' } },
      secret: { routing_key: 'R0UT1NGKEY0123456789abcdefABCDEF' },
    });
  });

  it('of email names members and roles, and has no secret', () => {
    expect(read('email', { roles: ['owner'] })).toEqual({
      shown: { member_ids: [], roles: ['owner'] },
      secret: null,
    });
  });

  it('of otlp shows the names of its headers, and nothing of a short value', () => {
    const url = 'https://otlp.example.org/';
    const headers = { 'x-api-key': 'secret-1', 'x-team': 'team-id' };
    expect(read('otlp', { url, headers })).toEqual({
      shown: {
        url,
        headers: { 'x-api-key': { last4: 'et-1' }, 'x-team': { last4: '' } },
        signals: ['traces', 'metrics'],
        encoding: 'protobuf',
      },
      secret: { headers },
    });
  });

  it.each([
    ['slack', {}, 'config.url'],
    ['slack', { url: SLACK, routing_key: 'R' }, 'config.routing_key'],
    ['pagerduty', {}, 'config.routing_key'],
    ['pagerduty', { routing_key: 'a b' }, 'config.routing_key'],
    ['email', {}, 'config.member_ids'],
    ['email', { url: SLACK }, 'config.url'],
    ['otlp', {}, 'config.url'],
    ['otlp', { url: 'https://otlp.example.org/', headers: headersOf(11) }, 'config.headers'],
    ['otlp', { url: 'https://otlp.example.org/', headers: { 'x-a': 'a'.repeat(4_094) } }, 'config.headers'],
    ['otlp', { url: 'https://otlp.example.org/', headers: { 'a b': 'c' } }, 'config.headers'],
    ['otlp', { url: 'https://otlp.example.org/', headers: { Host: 'c' } }, 'config.headers.Host'],
    ['otlp', { url: 'https://otlp.example.org/', headers: { a: 'b\r\nc' } }, 'config.headers.a'],
    ['otlp', { url: 'https://otlp.example.org/', headers: { a: 'b', A: 'c' } }, 'config.headers.A'],
  ] as const)('of %s cannot be %j', (kind, given, param) => {
    expect(read(kind, given)).toMatchObject({ param });
  });

  it.each([
    ['slack', 'http://hooks.slack.com/x'],
    ['slack', 'https://127.0.0.1/'],
    ['otlp', 'https://svc.example.com/'],
    ['pagerduty', 'https://hooks.example.org/v2/enqueue'],
  ] as const)('of %s is refused for the URL %s', (kind, url) => {
    const given = kind === 'pagerduty' ? { url, routing_key: 'R' } : { url };
    expect(read(kind, given)).toMatchObject({ param: 'config.url', isUrl: true });
  });

  it('of pagerduty takes their EU address, and any other where private ones are allowed', () => {
    const given = (url: string) => ({ url, routing_key: 'R' });
    expect(read('pagerduty', given('https://events.eu.pagerduty.com/v2/enqueue'))).toHaveProperty('shown');
    expect(read('pagerduty', given('http://127.0.0.1:9000/'), true)).toHaveProperty('shown');
  });
});
