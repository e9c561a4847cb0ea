import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { WalletStore } from './wallet-store';

let test: TestDatabase;
let organizationId: string;
let grantId: string;
beforeAll(async () => {
  test = await openTestDatabase();
  organizationId = systemIds('organization');
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  ({ id: grantId } = await new WalletStore(test.database).credit(organizationId, nanos(1_000), 'test'));
  await run(`INSERT INTO audit_entries (id, organization_id, actor_type, action, target_type, target_id)
             VALUES ('aud_1', $org, 'system', 'wallet.credit', 'wallet', 'x')`);
});
afterAll(() => test.close());

const CHECK_VIOLATION = '23514';
const UNIQUE_VIOLATION = '23505';
const INTEGRITY_VIOLATION = '23000';

const run = (sql: string) =>
  test.database.pool.query(
    sql.replaceAll('$org', `'${organizationId}'`).replaceAll('$grant', `'${grantId}'`),
  );

const transfer = (debit: string, credit: string, amount: number, kind: string, ids: string) =>
  `INSERT INTO ledger_transfers
     (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id, credit_grant_id)
   VALUES ('txn_1', $org, ${debit}, ${credit}, ${String(amount)}, '${kind}', ${ids})`;
const MINE = `'wallet:' || $org`;
const REVENUE = `'platform:revenue'`;

const record = (held: number, charged: number, overrun: number) =>
  `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status,
     held_nanos, customer_nanos, overrun_nanos, cost_state, finished_at)
   VALUES ('req_1', $org, 'key_1', 'edge_1', 'messages', 'acme/small', false, 'succeeded',
     ${[held, charged, overrun].join(', ')}, 'final', now())`;

describe('the database', () => {
  it.each([
    ['a wallet below zero', `UPDATE wallets SET balance_nanos = -1`],
    ['a hold below zero', `UPDATE wallets SET held_nanos = -1`],
    ['a hold of more than the balance', `UPDATE wallets SET held_nanos = balance_nanos + 1`],
    ['a balance that JSON cannot say', `UPDATE wallets SET balance_nanos = 9007199254740992`],
    ['a transfer of nothing', transfer(MINE, REVENUE, 0, 'charge', `'req_1', NULL`)],
    ['a charge of another’s wallet', transfer(`'wallet:org_x'`, REVENUE, 1, 'charge', `'req_1', NULL`)],
    ['a charge that goes into a wallet', transfer(REVENUE, MINE, 1, 'charge', `'req_1', NULL`)],
    ['a charge without its call', transfer(MINE, REVENUE, 1, 'charge', `NULL, NULL`)],
    ['an overrun that a wallet pays', transfer(MINE, REVENUE, 1, 'overrun', `'req_1', NULL`)],
    ['an overrun of nothing', transfer(`'platform:loss'`, REVENUE, 1, 'overrun', `NULL, NULL`)],
    ['a charge that is a grant too', transfer(MINE, REVENUE, 1, 'charge', `'req_1', $grant`)],
    ['a job’s charge without its hold', transfer(MINE, REVENUE, 1, 'fine_tuning', `NULL, NULL`)],
    ['a top-up without its payment', transfer(`'platform:cash'`, MINE, 1, 'top_up', `NULL, $grant`)],
    ['a refund without its payment', transfer(MINE, `'platform:cash'`, 1, 'refund', `NULL, NULL`)],
    ['credit out of revenue', transfer(REVENUE, MINE, 1, 'credit_grant', `NULL, 'crg_x'`)],
    [
      'credit into another’s wallet',
      transfer(`'platform:credit'`, `'wallet:org_x'`, 1, 'credit_grant', `NULL, 'crg_x'`),
    ],
    ['a transfer of an unknown kind', transfer(MINE, REVENUE, 1, 'gift', `'req_1', NULL`)],
    ['a charge of more than was held', record(5, 6, 0)],
    ['a charge below zero', record(5, -1, 0)],
    ['an overrun of a hold that was not used up', record(5, 4, 1)],
    ['an overrun below zero', record(5, 5, -1)],
    ['a call that has ended at no time', record(5, 5, 0).replace('now()', 'NULL')],
    ['a call that has not ended at a time', record(5, 0, 0).replace('succeeded', 'pending')],
    ['a call of an unknown status', record(5, 5, 0).replace('succeeded', 'lost')],
    ['a charge of an unknown state', record(5, 5, 0).replace('final', 'guessed')],
    [
      'a negative number of tokens',
      record(5, 5, 0).replace('cost_state', 'output_tokens').replace(`'final'`, '-1'),
    ],
  ])('refuses %s', async (_, sql) => {
    await expect(run(sql)).rejects.toMatchObject({ code: CHECK_VIOLATION });
  });

  it('takes what these only just are not, and refuses it a second time', async () => {
    const charge = transfer(MINE, REVENUE, 1, 'charge', `'req_1', NULL`);
    await run(charge);
    await expect(run(charge.replace('txn_1', 'txn_2'))).rejects.toMatchObject({ code: UNIQUE_VIOLATION });
    const credit = transfer(`'platform:credit'`, MINE, 1, 'credit_grant', `NULL, $grant`);
    await expect(run(credit.replace('txn_1', 'txn_3'))).rejects.toMatchObject({ code: UNIQUE_VIOLATION });
    await run(record(5, 5, 1));
  });

  it.each(['ledger_transfers', 'credit_grants', 'audit_entries'])('only ever adds to %s', async (table) => {
    for (const sql of [`UPDATE ${table} SET id = id`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
      await expect(run(sql)).rejects.toMatchObject({ code: INTEGRITY_VIOLATION });
    }
    expect((await run(`SELECT FROM ${table}`)).rowCount).toBeGreaterThan(0);
  });
});
