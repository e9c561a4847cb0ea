import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@svc/testing';
import { PAYMENT_WEBHOOK_SECRET } from '../harness/config';
import { rowsOf } from '../harness/database-session';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';

const NUMBER = '4000056655665556';
/** Long enough that no hash, id or time has it by chance. */
const CODE = 'cvc-73951-on-the-back';
const HOLDER = 'Ada Augusta Cardholder';
/** Every column that is about payments or cards. Another one needs a look at what goes into it. */
const CARD_COLUMNS = ['brand', 'last4', 'exp_month', 'exp_year'];

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

const databaseUrl = async () => (await readFile(join(svc.dataDir, 'database-url'), 'utf8')).trim();

const eventId = (type: string): string => `evt_${type}`;

/** A signed event that says more of a card than the provider ever would. */
async function post(type: string, object: object, secret = PAYMENT_WEBHOOK_SECRET): Promise<number> {
  const card = { number: NUMBER, cvc: CODE, last4: NUMBER.slice(-4) };
  const details = { payment_method_details: { card }, billing_details: { name: HOLDER } };
  const event = { id: eventId(type), object: 'event', type, data: { object: { ...object, ...details } } };
  const body = JSON.stringify(event);
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` };
  const answer = await fetch(`${svc.baseUrl}/payments/stripe/webhook`, { method: 'POST', headers, body });
  return answer.status;
}

it('card data in an event is neither stored nor logged', async () => {
  const events = {
    'charge.succeeded': { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' },
    'payment_method.attached': { id: 'pm_1', object: 'payment_method' },
    'payment_intent.succeeded': { id: 'pi_2', object: 'payment_intent' },
  };
  for (const [type, object] of Object.entries(events)) expect(await post(type, object)).toBe(200);
  const url = await databaseUrl();
  const ids = Object.keys(events).map(eventId);
  const workedOff = 'SELECT 1 FROM provider_events WHERE id = ANY($1) AND result IS NOT NULL';
  await eventually(async () => {
    expect(await rowsOf(url, workedOff, [ids])).toHaveLength(ids.length);
  });
  const tables = await rowsOf<{ name: string }>(
    url,
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  expect(tables.map(({ name }) => name)).toContain('provider_events');
  for (const secret of [NUMBER, CODE, HOLDER]) {
    for (const { name } of tables) {
      const found = await rowsOf(url, `SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
        secret,
      ]);
      expect([name, found]).toEqual([name, []]);
    }
    expect(svc.logs()).not.toContain(secret);
  }
});

it('an event that is signed with a secret out of the source is not taken', async () => {
  const object = { id: 'ch_2', object: 'charge', payment_intent: 'pi_1' };
  expect(await post('charge.updated', object, 'whsec_simulator')).toBe(400);
});

it('the database has a place for brand, last four digits and expiry of a card, and for nothing else', async () => {
  const columns = await rowsOf<{ column_name: string }>(
    await databaseUrl(),
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'payment_methods' ORDER BY ordinal_position`,
  );
  expect(columns.map(({ column_name }) => column_name)).toEqual([
    'id',
    'organization_id',
    'livemode',
    'state',
    'setup_reference',
    'provider_reference',
    ...CARD_COLUMNS,
    'created_by_type',
    'created_by_id',
    'created_at',
    'due_at',
  ]);
  // The last characters of secrets are no card's.
  const elsewhere = await rowsOf(
    await databaseUrl(),
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name NOT IN ('payment_methods', 'provider_credentials', 'webhook_endpoints')
       AND column_name ~ '(^|_)(card|cvc|cvv|pan|iban|last4|exp_month|exp_year)(_|$)'`,
  );
  expect(elsewhere).toEqual([]);
});
