import { integrationKinds } from '../configuration/integration-kinds';
import { judgeAnswer, RETRY_AFTER_MAX_SECONDS, retryAfterSeconds } from './judge-answer';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const judge = (
  kind: (typeof integrationKinds)[number],
  statusCode: number | null,
  retryAfter: string | null = null,
) => judgeAnswer(kind, { statusCode, retryAfter }, NOW);

it.each([
  ['slack', 200],
  ['discord', 204],
  ['teams', 202],
  ['pagerduty', 202],
  ['otlp', 200],
] as const)('%s takes a message with %i', (kind, status) => {
  expect(judge(kind, status)).toEqual({ outcome: 'acknowledged', isFinal: false, retryAfterSeconds: null });
});

it.each([
  ['slack', 404],
  ['slack', 410],
  ['discord', 404],
  ['teams', 410],
  ['pagerduty', 400],
] as const)('%s that answers %i is not asked again', (kind, status) => {
  expect(judge(kind, status, '5')).toEqual({ outcome: 'failed', isFinal: true, retryAfterSeconds: null });
});

it.each([
  ['slack', 400],
  ['discord', 403],
  ['pagerduty', 404],
  ['pagerduty', 410],
  ['teams', 500],
  ['slack', 302],
  ['slack', null],
] as const)('%s that answers %p is asked again', (kind, status) => {
  expect(judge(kind, status)).toEqual({ outcome: 'failed', isFinal: false, retryAfterSeconds: null });
});

it('a Retry-After is obeyed up to an hour, for every kind', () => {
  for (const kind of integrationKinds) {
    expect(judge(kind, 429, '120').retryAfterSeconds).toBe(120);
    expect(judge(kind, 503, '99999').retryAfterSeconds).toBe(RETRY_AFTER_MAX_SECONDS);
  }
});

it.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['0', 0],
  ['30', 30],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
])('the Retry-After %j is %p seconds', (text, seconds) => {
  expect(retryAfterSeconds(text, NOW)).toBe(seconds);
});
