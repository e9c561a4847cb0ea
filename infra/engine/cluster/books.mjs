import { eventually, NAMESPACE, run } from './kubectl.mjs';

/** Two rounds of the worker's reconciliation, and some more. */
const SETTLED_MS = 90_000;
/** Queries that find what must not be. */
const RULES = {
  'all entries come to zero': `
    SELECT sum(amount_nanos)::text AS found FROM ledger_entries HAVING sum(amount_nanos) <> 0`,
  'a wallet is what its entries come to, and holds nothing': `
    SELECT w.organization_id::text AS found FROM wallets w
    LEFT JOIN (SELECT account, sum(amount_nanos) AS come_to FROM ledger_entries GROUP BY account) e
      ON e.account = 'wallet:' || w.organization_id
    WHERE w.balance_nanos <> coalesce(e.come_to, 0) OR w.held_nanos <> 0`,
  'a call is charged what its record says, once': `
    SELECT coalesce(r.id, t.request_id)::text AS found
    FROM (SELECT id, customer_nanos FROM request_records WHERE customer_nanos <> 0) r
    FULL JOIN (
      SELECT request_id, array_agg(amount_nanos) AS charges FROM ledger_transfers WHERE kind = 'charge' GROUP BY 1
    ) t ON t.request_id = r.id
    WHERE t.charges IS DISTINCT FROM ARRAY[r.customer_nanos]`,
};
/** Of the ids of whole answers, which stand in the input, one a line. */
const NOT_CHARGED = `
  CREATE TEMP TABLE answered (id text);
  \\copy answered FROM STDIN
`;
const ASKED = `
  SELECT a.id FROM answered a
  LEFT JOIN request_records r ON r.id = a.id AND r.status = 'succeeded'
  LEFT JOIN ledger_transfers t ON t.request_id = a.id AND t.kind = 'charge'
  GROUP BY a.id HAVING count(r.id) <> 1 OR count(t.request_id) <> 1;
  SELECT 'answered twice: ' || id FROM answered GROUP BY id HAVING count(*) > 1;`;

const psql = async (script) => {
  const args = ['exec', '--stdin', '--namespace', NAMESPACE, 'postgres-0', '--'];
  const quiet = [
    'psql',
    '--no-psqlrc',
    '--quiet',
    '--tuples-only',
    '--no-align',
    '--set=ON_ERROR_STOP=1',
    '-U',
    'svc',
  ];
  return (await run('kubectl', [...args, ...quiet], { input: script })).trim();
};

/** @param answered the ids of calls with a whole answer. @throws Error with what the books lack. */
export async function expectBooksHold(answered) {
  await eventually(async () => {
    const wrong = await psql(`${NOT_CHARGED}${answered.join('\n')}\n\\.\n${ASKED}`);
    if (wrong !== '') throw new Error(`Answered, and not charged once: ${wrong}`);
    for (const [rule, query] of Object.entries(RULES)) {
      const found = await psql(`${query};`);
      if (found !== '') throw new Error(`It does not hold that ${rule}: ${found}`);
    }
  }, SETTLED_MS);
}
