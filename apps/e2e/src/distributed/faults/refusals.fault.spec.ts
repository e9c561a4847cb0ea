import { eventually } from '@svc/testing';
import { post } from '../../harness/clients';
import { sleep } from '../../harness/sleep';
import { pauseDatabase, type EndFault } from '../../harness/database-faults';
import { callApi } from '../../oauth/oauth-app';
import { call, CHAT } from '../lanes';
import { of } from '../tenant';
import { startFaultInstallation, type Caller, type FaultInstallation } from './fault-installation';

/** An edge writes every 5 s, and gives a silent server up after 4 s. */
const OUTAGE_MS = 12_000;
/** How long an edge that has begun to write without an answer may take to try again. */
const WRITTEN_MS = 20_000;
const ROUNDS = 10;

describe('refused calls', () => {
  let installation: FaultInstallation;
  let caller: Caller;
  beforeAll(async () => {
    installation = await startFaultInstallation();
    caller = await installation.newCaller();
  });
  afterAll(() => installation.stop());

  /** One refused call at each edge. */
  async function refuse(): Promise<void> {
    for (const nth of [0, 1]) {
      const { baseUrl } = installation.at(caller)(nth);
      const headers = { authorization: `Bearer ${caller.secret}` };
      const answer = await post({ ...installation.svc, baseUrl }, CHAT, call({}, { model: 'made/up' }), {
        headers,
      });
      expect(answer.status).toBe(404);
    }
  }

  async function counted(): Promise<number> {
    const { svc } = installation;
    const answer = await callApi(svc.baseUrl, 'GET', '/api/v1/usage/refusals', caller.tenant.apiKey);
    return of(200, answer).total.count as number;
  }

  it('while PostgreSQL is silent are counted once when it is back', async () => {
    await refuse();
    await eventually(async () => expect(await counted()).toBe(2), WRITTEN_MS);
    // Keys are cached for 10 s: the calls of these first seconds need no database.
    await refuse();
    const end: EndFault = await pauseDatabase(installation.servers);
    try {
      for (let round = 0; round < ROUNDS; round++) await refuse();
      await sleep(OUTAGE_MS);
    } finally {
      await end();
    }
    const all = 2 + 2 + 2 * ROUNDS;
    await eventually(async () => expect(await counted()).toBe(all), WRITTEN_MS);
    await sleep(WRITTEN_MS / 2);
    expect(await counted()).toBe(all);
  });
});
