import { eventually } from '@svc/testing';
import { catalogOf, testModel } from '../harness/catalog-file';
import { post } from '../harness/clients';
import { rowsOf } from '../harness/database-session';
import { startInstallation, type Installation } from '../harness/installation';
import { startMailboxServer, type MailboxServer, type StoredMail } from '../harness/mailbox-server';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { callApi } from '../oauth/oauth-app';
import { CHAT } from './lanes';
import { SilencingRelay } from './silencing-relay';
import { newKey, of } from './tenant';

const RULES = 8;
const SENT_AGAIN_MS = 60_000;
const SENT_MS = 20_000;
/** Long, and not ASCII: its header is encoded, and the lines of its text are folded. */
const NAME = `Äußerst dringend: ${'zu viel '.repeat(12)}`.trim();

let mailbox: MailboxServer;
let relay: SilencingRelay;
let simulator: Simulator;
let svc: Installation;

const api = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);

/** A rule that one call of the key fires. */
async function newRule(name: string, apiKeyId: string): Promise<string> {
  const made = await api('POST', '/alert-rules', {
    name,
    metric: 'request_count',
    threshold: 1,
    window_seconds: 3_600,
    filter: { api_key_id: apiKeyId },
    notify: { roles: ['owner'] },
  });
  return of(201, made).id as string;
}

async function callWith(secret: string): Promise<void> {
  const body = { model: testModel, max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
  expect((await post({ ...svc, apiKey: secret }, CHAT, body)).status).toBe(200);
}

/** As the form of the page does it. */
async function askForPasswordReset(): Promise<void> {
  const url = `${svc.baseUrl}/auth/password-reset`;
  const page = await fetch(url);
  const cookie = page.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const form = new URLSearchParams({ email: svc.ready.owner_email });
  for (const [, name = '', value = ''] of (await page.text()).matchAll(
    /type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )) {
    form.append(name, value);
  }
  const headers = { cookie: cookie.join('; '), origin: svc.baseUrl };
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: form });
  expect(answer.status).toBe(303);
}

const alertsOf = async (ruleId: string) => of(200, await api('GET', `/alerts?alert_rule_id=${ruleId}`)).data;

const stored = (count: number, timeoutMs = SENT_MS) =>
  eventually(() => {
    expect(mailbox.count()).toBeGreaterThanOrEqual(count);
  }, timeoutMs);

describe('mails, read by a server and a parser of others', () => {
  // Within the suite: those of the harness, which remove its folders, come after.
  beforeAll(async () => {
    mailbox = await startMailboxServer();
    relay = await SilencingRelay.start(mailbox.port);
    simulator = await startSimulator();
    svc = await startInstallation({
      dispatchers: 2,
      workers: 2,
      catalog: catalogOf({ name: 'acme', url: simulator.url }),
      env: {
        ...mailbox.variables,
        SVC_SMTP_URL: `smtp://127.0.0.1:${String(relay.port)}`,
        SVC_ALERT_TICK_SECONDS: '1',
      },
    });
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
    await relay.close();
    await mailbox.remove();
  });

  it('an alert and a link for a new password arrive once each, over TLS, and read as they were written', async () => {
    const key = await newKey(svc, svc);
    const ruleId = await newRule(NAME, key.id);
    await callWith(key.secret);
    await stored(1);
    await askForPasswordReset();
    await stored(2);
    await eventually(async () => {
      expect(await alertsOf(ruleId)).toMatchObject([
        { notifications: [{ channel: 'email', status: 'sent' }] },
      ]);
    }, SENT_MS);

    const mails = await mailbox.mails();
    const owner = svc.ready.owner_email;
    const ours = {
      from: 'no-reply@svc.example',
      sender: 'no-reply@svc.example',
      to: owner,
      recipients: owner,
    };
    expect(mails).toEqual(mails.map((mail) => ({ ...mail, ...ours, defects: [] })));
    const [alert, reset] = mails;
    expect(alert?.subject).toContain(NAME);
    expect(alert?.text).toContain(NAME);
    expect(reset?.subject).toBe('Set a new password');
    const link = /^http\S+$/m.exec(reset?.text ?? '')?.[0] ?? '';
    const page = await fetch(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(owner)]);
    for (const { messageId, date } of mails) {
      expect(messageId).toMatch(/^<[^<>@\s]+@[^<>@\s]+>$/);
      expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(120_000);
    }
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
    expect(mailbox.count()).toBe(2);
  });

  it('after kill -9 of all dispatchers amid sending, every mail arrives, and one that is sent again is the same', async () => {
    const before = mailbox.count();
    const key = await newKey(svc, svc);
    const ruleIds: string[] = [];
    for (let nth = 0; nth < RULES; nth++) ruleIds.push(await newRule(`Rule ${String(nth)}`, key.id));
    // Every other mail is claimed, and not sent. The others are sent, until the first of them is stored: its answer gets lost.
    relay.mayAnswer = (nth) => nth % 2 === 1 && mailbox.count() === before;
    await callWith(key.secret);
    await eventually(() => {
      expect(mailbox.count()).toBeGreaterThan(before);
      expect(relay.silenced).toBeGreaterThan(1);
    }, SENT_MS);
    await Promise.all(svc.dispatchers.map((dispatcher) => dispatcher.kill()));
    expect(mailbox.count() - before).toBeLessThan(RULES);
    relay.mayAnswer = () => true;
    // The lease of the dead processes is 60 s: most of it has passed.
    await rowsOf(
      svc.databaseUrl,
      `UPDATE mails SET lease_until = lease_until - interval '50 s' WHERE lease_until IS NOT NULL`,
    );
    await Promise.all(svc.dispatchers.map((dispatcher) => dispatcher.start()));

    await eventually(async () => {
      for (const ruleId of ruleIds) {
        expect(await alertsOf(ruleId)).toMatchObject([{ notifications: [{ status: 'sent' }] }]);
      }
    }, SENT_AGAIN_MS);
    const mails = (await mailbox.mails()).slice(before);
    const byMessageId = Map.groupBy(mails, ({ messageId }) => messageId);
    const told = [...byMessageId.values()].map(([first]) => first?.subject ?? '');
    expect(told.sort()).toEqual(ruleIds.map((_, nth) => expect.stringContaining(`Rule ${String(nth)}`)));
    const contentOf = ({ subject, to, text }: StoredMail) => ({ subject, to, text });
    for (const [first, ...again] of byMessageId.values()) {
      expect(again.length).toBeLessThan(2);
      for (const mail of again) expect(contentOf(mail)).toEqual(contentOf(first!));
    }
    expect(mails.length).toBeGreaterThan(RULES);
  });
});
