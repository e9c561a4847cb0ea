import { MailQueue } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { openMailer, type Mailer } from '@svc/http';
import { systemIds } from '@svc/runtime';
import { Counter, createLogger, createMetrics } from '@svc/runtime/observability';
import { acceptMail, startMailServer, type MailServer } from '@svc/testing';
import { sendMails, type MailParts } from './send-mails';

const organizationId = systemIds('organization');
const memberId = systemIds('member');

let test: TestDatabase;
let server: MailServer | undefined;
beforeEach(async () => {
  test = await openTestDatabase();
  const { prisma } = test.database;
  const userId = systemIds('user');
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await prisma.user.create({ data: { id: userId, email: 'ada@example.com' } });
  await prisma.member.create({ data: { id: memberId, organizationId, userId, role: 'owner' } });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await test.close();
});

const addMail = async (fields: object = {}) => {
  const data = {
    id: crypto.randomUUID(),
    organizationId,
    memberId,
    subject: 'Hello',
    text: 'Hello\n',
    ...fields,
  };
  await test.database.prisma.mail.create({ data });
  return data.id;
};
const mail = (id: string) => test.database.prisma.mail.findUniqueOrThrow({ where: { id } });
const secondsToNextTry = async (id: string) =>
  Math.round((((await mail(id)).dueAt?.getTime() ?? NaN) - Date.now()) / 1_000);
const partsWith = (mailer: Mailer | null, queue = new MailQueue(test.database)): MailParts => ({
  queue,
  mailer,
  baseUrl: 'https://svc.example',
  logger: createLogger({ service: 'dispatcher-spec', level: 'silent' }),
  sent: new Counter({
    name: 'sent',
    help: '-',
    labelNames: ['outcome'],
    registers: [createMetrics('dispatcher-spec')],
  }),
});
const openTo = async (reply = acceptMail) => {
  server = await startMailServer(reply);
  const { url } = server;
  return openMailer({ smtpUrl: () => url, from: 'no-reply@svc.example' });
};
const makeDue = (id: string) =>
  test.database.prisma.mail.update({ where: { id }, data: { dueAt: new Date(0), leaseUntil: null } });

describe('mails of the queue', () => {
  it('are sent once, with a Message-ID of their id', async () => {
    const parts = partsWith(await openTo());
    const id = await addMail();
    expect(await sendMails(parts)).toEqual({ more: false });
    await sendMails(parts);
    expect(server!.letters()).toEqual(['Hello']);
    expect(server!.heard).toEqual(
      expect.arrayContaining(['To: ada@example.com', 'Subject: Hello', `Message-ID: <${id}@svc.example>`]),
    );
    expect(await mail(id)).toMatchObject({
      status: 'sent',
      error: null,
      tries: 1,
      dueAt: null,
      leaseUntil: null,
    });
  });

  it('are tried six times while the server is away, at growing distances', async () => {
    const parts = partsWith(
      await openTo((command) => (command.startsWith('MAIL') ? '451 later' : acceptMail(command))),
    );
    const id = await addMail();
    for (const seconds of [30, 120, 600, 3_600, 14_400]) {
      await makeDue(id);
      const beforeMs = Date.now();
      await sendMails(parts);
      expect(await mail(id)).toMatchObject({ status: 'queued', error: 'unavailable' });
      const left = await secondsToNextTry(id);
      expect(left).toBeLessThanOrEqual(seconds);
      expect(left).toBeGreaterThanOrEqual(seconds - 1 - (Date.now() - beforeMs) / 1_000);
    }
    await makeDue(id);
    await sendMails(parts);
    expect(await mail(id)).toMatchObject({ status: 'failed', error: 'unavailable', tries: 6, dueAt: null });
  });

  it('that the server refuses for good are not sent again', async () => {
    const parts = partsWith(
      await openTo((command) => (command.startsWith('RCPT') ? '550 no' : acceptMail(command))),
    );
    const id = await addMail();
    await sendMails(parts);
    expect(await mail(id)).toMatchObject({ status: 'failed', error: 'refused', tries: 1 });
  });

  it('are skipped without a mail server, and for who has left', async () => {
    const first = await addMail();
    await sendMails(partsWith(null));
    expect(await mail(first)).toMatchObject({ status: 'skipped', error: 'not_configured' });

    await test.database.prisma.member.update({ where: { id: memberId }, data: { state: 'removed' } });
    const second = await addMail();
    await sendMails(partsWith(await openTo()));
    expect(await mail(second)).toMatchObject({ status: 'skipped', error: 'not_a_member' });
    expect(server!.letters()).toEqual([]);
  });

  it('are each sent by one of two dispatchers', async () => {
    const mailer = await openTo();
    for (let count = 0; count < 15; count++) await addMail({ text: `Mail ${String(count)}\n` });
    const [one, other] = [partsWith(mailer), partsWith(mailer)];
    for (let round = 0; round < 3; round++) await Promise.all([sendMails(one), sendMails(other)]);
    expect(new Set(server!.letters()).size).toBe(15);
    expect(server!.letters()).toHaveLength(15);
  });

  it('of a dispatcher that died are sent by another once the lease has lapsed, under the same Message-ID', async () => {
    const id = await addMail();
    const queue = new MailQueue(test.database);
    const [lost] = await queue.claim(1);
    const parts = partsWith(await openTo());
    await sendMails(parts);
    expect(server!.letters()).toEqual([]);
    await makeDue(id);
    await sendMails(parts);
    expect(server!.letters()).toHaveLength(1);
    expect(await queue.end(lost!, { status: 'failed', error: 'unavailable', retryInSeconds: null })).toBe(
      false,
    );
    expect(await mail(id)).toMatchObject({ status: 'sent', tries: 2 });
  });

  it('whose sixth try was lost are given up', async () => {
    const id = await addMail({ tries: 6, dueAt: new Date(0) });
    await sendMails(partsWith(await openTo()));
    expect(await mail(id)).toMatchObject({ status: 'failed', error: 'worker_lost' });
    expect(server!.letters()).toEqual([]);
  });
});
