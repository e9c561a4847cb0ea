import { openDatabase } from '@svc/database';
import { openTestDatabase, startSilentProxy, type SilentProxy } from '@svc/database/testing';
import { OauthUnderTest, type TestApp, type TestMember } from './testing/oauth-under-test';
import { OWNER } from './testing/auth-under-test';
import { Visitor, type Shown } from './testing/visitor';

/** The promise is 5 s; two waits in sequence would take at least 7 s. */
const ANSWERED_WITHIN_MS = 6_500;

let proxy: SilentProxy;
let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeAll(async () => {
  const store = await openTestDatabase();
  proxy = await startSilentProxy(store.url);
  const database = openDatabase({ url: proxy.url, poolSize: 4 });
  const close = async () => {
    await database.close();
    await proxy.close();
    await store.close();
  };
  oauth = await OauthUnderTest.start({ database, url: proxy.url, close });
  member = await oauth.newMember();
  app = await oauth.newApp();
});
afterAll(() => oauth.close());

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const askedAt = performance.now();
  const answered = await answer;
  expect(performance.now() - askedAt).toBeLessThan(ANSWERED_WITHIN_MS);
  return answered;
}

const expectEnvelope = ({ status, headers, text }: Shown) => {
  expect([status, headers.get('x-should-retry')]).toEqual([503, 'true']);
  expect(JSON.parse(text)).toMatchObject({
    error: {
      type: 'overloaded',
      code: 'overloaded',
      retriable: true,
      request_id: headers.get('x-request-id'),
    },
  });
};

/** PostgreSQL does not answer: open connections stay open, or are cut. */
const outages: [string, () => void][] = [
  ['is paused', () => proxy.silence('both')],
  [
    'is gone, and whoever connects hears nothing',
    () => {
      proxy.silence('both');
      proxy.cut();
    },
  ],
];

describe.each(outages)('while PostgreSQL %s', (_, begin) => {
  let refresh: string;
  let code: string;
  beforeEach(async () => {
    ({ refresh } = await oauth.tokensFor(app, member));
    code = await oauth.newCode(app, member);
    begin();
  });
  afterEach(() => {
    proxy.resume();
  });

  it('login, session and token endpoint answer 503 in time, and work once it is back', async () => {
    const login = await inTime(new Visitor(oauth.url).postJson('/auth/login', OWNER));
    expectEnvelope(login);
    expectEnvelope(await inTime(member.browser.send('/auth/session', {})));
    for (const answer of [oauth.refresh(app, refresh), oauth.exchange(app, code)]) {
      const { status, headers, body } = await inTime(answer);
      expect([status, headers.get('x-should-retry')]).toEqual([503, 'true']);
      expect(body).toMatchObject({ error: { code: 'overloaded' } });
    }
    proxy.resume();
    expect((await new Visitor(oauth.url).postJson('/auth/login', OWNER)).status).toBe(200);
    expect((await member.browser.send('/auth/session', {})).status).toBe(200);
    expect((await oauth.exchange(app, code)).status).toBe(200);
  });

  it('a browser gets a page that says so', async () => {
    const page = await inTime(member.browser.get('/auth/login'));
    expect(page.status).toBe(503);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('Please try again in a moment');
    expect(page.text).toContain('The database cannot be reached at the moment.');
  });
});
