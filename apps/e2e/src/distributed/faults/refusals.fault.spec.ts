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

  /** One call at each edge of a model that there is not. @returns how many were told so, and so are counted. */
  async function refuse(): Promise<number> {
    let refused = 0;
    for (const nth of [0, 1]) {
      const { baseUrl } = installation.at(caller)(nth);
      const headers = { authorization: `Bearer ${caller.secret}` };
      const answer = await post({ ...installation.svc, baseUrl }, CHAT, call({}, { model: 'made/up' }), {
        headers,
      });
      // An edge that has to look a key up says 503 meanwhile.
      expect([404, 503]).toContain(answer.status);
      if (answer.status === 404) refused++;
    }
    return refused;
  }

  async function counted(): Promise<number> {
    const { svc } = installation;
    const path = '/api/v1/usage/refusals?code=not_found';
    const answer = await callApi(svc.baseUrl, 'GET', path, caller.tenant.apiKey);
    return of(200, answer).total.count as number;
  }

  it('while PostgreSQL is silent are counted once when it is back', async () => {
    // Keys are cached for 10 s from here: the calls of these first seconds need no database.
    const before = await refuse();
    let all = before;
    const end: EndFault = await pauseDatabase(installation.servers);
    try {
      for (let round = 0, refused = before; round < ROUNDS && refused > 0; round++) {
        refused = await refuse();
        all += refused;
      }
      await sleep(OUTAGE_MS);
    } finally {
      await end();
    }
    expect(all).toBeGreaterThan(before);
    await eventually(async () => expect(await counted()).toBe(all), WRITTEN_MS);
    await sleep(WRITTEN_MS / 2);
    expect(await counted()).toBe(all);
  });
});
