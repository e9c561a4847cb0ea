import { describeUserAgent } from './describe-user-agent';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a user agent', () => {
  it.each([
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [`${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0`, 'Edge on Windows'],
    [
      `${MOZILLA} (Linux; Android 10; K) ${WEBKIT} Chrome/143.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1`,
      'Safari on iOS',
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0`,
      'Firefox on macOS',
    ],
    [
      `${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`,
      'Chrome on ChromeOS',
    ],
    ['curl/8.17.0', 'curl/8.17.0'],
    ['x'.repeat(300), 'x'.repeat(40)],
    ['', 'An unnamed program'],
    [null, 'An unnamed program'],
  ])('%j is %s', (userAgent, described) => {
    expect(describeUserAgent(userAgent)).toBe(described);
  });
});
