import { signalUrl } from './signal-url';

it.each([
  ['https://collector.example.com', 'https://collector.example.com/v1/traces'],
  ['https://collector.example.com/', 'https://collector.example.com/v1/traces'],
  ['https://collector.example.com:4318/otlp', 'https://collector.example.com:4318/otlp/v1/traces'],
  ['https://collector.example.com/otlp/', 'https://collector.example.com/otlp/v1/traces'],
  ['https://collector.example.com/v1/traces', 'https://collector.example.com/v1/traces'],
  ['https://collector.example.com/a/v1/traces/', 'https://collector.example.com/a/v1/traces'],
  ['https://collector.example.com/v1/metrics', 'https://collector.example.com/v1/traces'],
  ['https://collector.example.com/v1?x=1', 'https://collector.example.com/v1/v1/traces?x=1'],
])('the traces of %s go to %s', (base, url) => {
  expect(signalUrl(base, 'traces')).toBe(url);
  expect(signalUrl(base, 'metrics')).toBe(url.replace('/v1/traces', '/v1/metrics'));
});
