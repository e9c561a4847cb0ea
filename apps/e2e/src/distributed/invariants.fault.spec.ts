import { serversOfThisRun } from '../harness/config';
import { openSession } from '../harness/database-session';
import { dropDatabase, newDatabase } from '../harness/real-servers';
import { expectBooksHold } from './invariants';

/** A settled call of 10 tokens of input, and one in flight, with a budget over both. */
const BOOKS = `
  INSERT INTO organizations (id, name) VALUES ('org', 'The only one');
  INSERT INTO wallets (organization_id, balance_nanos, held_nanos) VALUES ('org', 8500, 700);
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, credit_grant_id)
    VALUES ('credit', 'org', 'platform:credit', 'wallet:org', 10000, 'credit_grant', 'grant');
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id)
    VALUES ('charge', 'org', 'wallet:org', 'platform:revenue', 1500, 'charge', 'req_0settled');
  INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status, held_nanos,
      provider, input_tokens, customer_nanos, finished_at)
    VALUES ('req_0settled', 'org', 'key', 'edge', 'messages', 'm', false, 'succeeded', 2000, 'p', 10, 1500, now());
  INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos)
    VALUES ('req_0pending', 'org', 'key', 'edge', 'messages', 'm', false, 700);
  INSERT INTO usage_days VALUES ('org', now(), '', 'key', 'm', 'p', 1, 10, 0, 0, 0, 0, 1500);
  INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
    VALUES ('budget', 'org', 'A day', 'organization', 'org', 'day', 9000, 'block', 8000);
  INSERT INTO budget_spends (budget_id, period_key, spent_nanos, reserved_nanos)
    VALUES ('budget', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1500, 700);
`;

/** A fault that breaks each rule, and may break others too. */
const FAULTS: Readonly<Record<string, string>> = {
  'a wallet is what its entries come to': 'UPDATE wallets SET balance_nanos = balance_nanos + 1',
  'no wallet is below zero':
    'ALTER TABLE wallets DROP CONSTRAINT wallets_check; UPDATE wallets SET held_nanos = balance_nanos + 1',
  'a wallet holds what its pending calls and standing holds hold':
    'UPDATE wallets SET held_nanos = held_nanos + 1',
  'a call is charged what its record says, once': "DELETE FROM ledger_transfers WHERE kind = 'charge'",
  'a call that cost more than its hold lost the platform the rest, once':
    "UPDATE request_records SET held_nanos = 1500, overrun_nanos = 1 WHERE status = 'succeeded'",
  'usage is what the records and the charges of standing holds say':
    'UPDATE usage_days SET request_count = 2',
  'a call costs its usage times the price':
    'UPDATE request_records SET input_tokens = 9 WHERE input_tokens = 10',
  'no hold is older than a minute without a call in flight':
    "UPDATE request_records SET created_at = now() - interval '61 s' WHERE status = 'pending'",
  'a budget has spent the charges of its period with what own accounts paid, and reserved its pending holds':
    'UPDATE budget_spends SET reserved_nanos = reserved_nanos - 1',
};

describe('the invariants of the books', () => {
  let databaseUrl: string;
  beforeEach(async () => {
    databaseUrl = await newDatabase(serversOfThisRun().databaseUrl);
    await run(BOOKS);
  });
  afterEach(() => dropDatabase(databaseUrl));

  async function run(statements: string): Promise<void> {
    const session = await openSession(databaseUrl);
    // Disables triggers and foreign keys, which would prevent a fault.
    await session.query(`SET session_replication_role = replica; ${statements}`);
    await session.end();
  }

  it('hold when nothing is wrong', async () => {
    await expectBooksHold({ databaseUrl });
  });

  it('allow a call to be in flight as long as it takes', async () => {
    await run(FAULTS['no hold is older than a minute without a call in flight'] ?? '');
    await expectBooksHold({ databaseUrl }, { inFlight: ['req_0pending'] });
  });

  it.each(Object.entries(FAULTS))('do not hold unless %s', async (rule, fault) => {
    await run(fault);
    await expect(expectBooksHold({ databaseUrl }, { timeoutMs: 0 })).rejects.toThrow(rule);
  });
});
