import { type Database } from '@svc/database';
import { eventually } from '@svc/testing';
import { answersJson, completion } from '../testing/answers';
import { CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';
import { NotedLimiter } from '../testing/noted-limiter';

const world = edgeWorld();

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}
type Query = (statement: string | Statement, ...more: unknown[]) => unknown;

/** Notes each statement from now on, but for those of periodic jobs. */
function noteStatements({ pool, books, booksAside }: Database): Statement[] {
  const sent: Statement[] = [];
  const noted = new WeakSet();
  for (const each of [pool, books, booksAside])
    each.on('acquire', (client) => {
      if (noted.has(client)) return;
      noted.add(client);
      const send = client.query.bind(client) as Query;
      const query: Query = (statement, ...more) => {
        const values = more[0] as readonly unknown[] | undefined;
        sent.push(typeof statement === 'string' ? { text: statement, values } : statement);
        return send(statement, ...more);
      };
      Object.assign(client, { query });
    });
  return sent;
}

/** The settlements and holds of a batch of bookings: `$1` and `$2`. */
const rowsOf = ({ text, values = [] }: Statement) => {
  expect(text).toContain('book_calls(');
  return values
    .slice(0, 2)
    .map((rows) => (rows === null ? [] : (JSON.parse(rows as string) as Record<string, unknown>[])));
};

/** Fields of a hold since policies, budgets and usage of end users exist. */
const NARROWED = [
  'project_policy_version',
  'key_policy_version',
  'end_user_id',
  'end_user',
  'end_users_per_day',
];

describe('a plain call of an organization without lower policies, end users and budgets', () => {
  it('sends one statement that holds and one that settles, with nothing in them of what it does not use', async () => {
    const limiter = new NotedLimiter();
    await world.start({ limiter });
    const sent = noteStatements(world.database);
    // First calls look up the key, the policy and the credentials, which the edge then keeps.
    await eventually(async () => {
      sent.length = 0;
      world.upstream.next(answersJson(completion({ prompt_tokens: 3, completion_tokens: 2 })));
      const response = await fetch(`${world.edge.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${world.edge.apiKey}` },
        body: JSON.stringify(CHAT),
      });
      expect(response.status).toBe(200);
      await response.text();
      expect(sent).toHaveLength(2);
    });

    // No affinity key was made, and none is read or written beside the buckets.
    expect([new Set(limiter.read), limiter.kept]).toEqual([new Set([null]), []]);
    const [[, [hold]], [[settlement]]] = sent.map(rowsOf) as unknown as [
      [unknown, [Record<string, unknown>]],
      [[Record<string, unknown>]],
    ];
    expect(settlement.request_id).toBe(hold.request_id);
    expect(Object.keys(hold)).toContain('hold_max');
    for (const field of NARROWED) expect(hold).not.toHaveProperty(field);
  });
});
