import { eventually } from '@svc/testing';
import { newPool, type Pool } from '../affinity/conversations';
import { of } from '../distributed/tenant';
import { post } from '../harness/clients';
import { nodeClientsOfThisRun } from '../harness/config';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { type Address } from '../harness/svc';
import { callApi } from '../oauth/oauth-app';
import { agents, catalogOfAgents } from './agents';
import { startShippedNginx, type ShippedNginx } from './shipped-nginx';

const CREDENTIALS = 5;
const TURNS = 10;
const SUBAGENTS = 50;

interface CallRecord {
  readonly created_at: string;
  readonly session_id: string | null;
  readonly attempts: readonly { readonly credential_id: string; readonly placed_by: string | null }[];
}

const describeInstalled = nodeClientsOfThisRun === null ? describe.skip : describe;

describeInstalled(`with a pool of ${String(CREDENTIALS)} credentials behind the shipped nginx`, () => {
  let svc: SharedSvc;
  let nginx: ShippedNginx;
  beforeAll(async () => {
    svc = await sharedSvc({ catalog: catalogOfAgents });
    nginx = await startShippedNginx(svc.baseUrl);
  });
  afterAll(() => nginx.stop());

  const addressOf = ({ apiKey }: Pool): Address => ({ baseUrl: nginx.url, apiKey });

  /** The calls of an organization, the newest first, once there are so many and all have ended. */
  const calls = ({ ownerKey }: Pool, atLeast: number) =>
    eventually(async () => {
      const answer = await callApi(svc.baseUrl, 'GET', '/api/v1/requests?limit=100', ownerKey);
      const { data } = of(200, answer) as { readonly data: readonly CallRecord[] };
      expect(data.length).toBeGreaterThanOrEqual(atLeast);
      expect(data.filter(({ attempts }) => attempts.length === 0)).toEqual([]);
      return data;
    });

  it.each(agents)(
    `$name names its own session and stays with one credential for ${String(TURNS)} turns`,
    async ({ provider, start }) => {
      const pool = await newPool(svc, CREDENTIALS, {}, provider);
      const ask = await start(addressOf(pool));
      const question = (turn: number) => `Why? (${String(turn)})`;
      const session = await ask(question(1));
      const firstEndedAt = Date.now();
      for (let turn = 2; turn <= TURNS; turn++) expect(await ask(question(turn), session)).toBe(session);
      const all = await calls(pool, TURNS);
      expect([...new Set(all.map(({ session_id: id }) => id))]).toEqual([session]);
      const attempts = all.flatMap(({ attempts: made }) => made);
      expect(new Set(attempts.map(({ credential_id: id }) => id)).size).toBe(1);
      const later = all.filter(({ created_at: at }) => Date.parse(at) > firstEndedAt);
      expect(later.length).toBeGreaterThanOrEqual(TURNS - 1);
      const placed = later.flatMap(({ attempts: made }) => made.map(({ placed_by: by }) => by));
      expect([...new Set(placed)]).toEqual(['affinity']);
    },
  );

  it(`${String(SUBAGENTS)} subagents of one session use four credentials at least, and each stays with its own`, async () => {
    const pool = await newPool(svc, CREDENTIALS, {}, 'agents-anthropic');
    const turn = (words: string) =>
      Promise.all(
        Array.from({ length: SUBAGENTS }, async (_, nth) => {
          const body = {
            model: 'agents/messages',
            max_tokens: 10,
            messages: [{ role: 'user', content: words }],
          };
          const headers = {
            'x-claude-code-session-id': 'session-of-subagents',
            'x-claude-code-agent-id': `agent-${String(nth)}`,
          };
          const answer = await post(addressOf(pool), '/v1/messages', body, { headers });
          expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
        }),
      );
    await turn('First.');
    await turn('Second.');
    const all = await calls(pool, 2 * SUBAGENTS);
    expect(all.every(({ session_id: id }) => id === 'session-of-subagents')).toBe(true);
    const used = all.map(({ attempts }) => attempts[0]);
    const [second, first] = [used.slice(0, SUBAGENTS), used.slice(SUBAGENTS)].map((turns) =>
      turns.map((attempt) => attempt?.credential_id).sort(),
    );
    expect(new Set(first).size).toBeGreaterThanOrEqual(4);
    expect(second).toEqual(first);
    expect(used.slice(0, SUBAGENTS).every((attempt) => attempt?.placed_by === 'affinity')).toBe(true);
  });

  it.each(['session_id', 'conversation_id'])('a session that is named by %s gets through', async (name) => {
    const pool = await newPool(svc, 1, {}, 'agents-openai');
    const body = { model: 'agents/chat', messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await post(addressOf(pool), '/v1/chat/completions', body, { headers: { [name]: 's-1' } });
    expect(answer.status).toBe(200);
    expect(await calls(pool, 1)).toMatchObject([{ session_id: 's-1' }]);
  });
});
