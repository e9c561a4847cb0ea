import { parseCatalog } from '@svc/catalog';
import { affinityKey, DEFAULT_POLICY, planRoute, routingCallOf, UNMEASURED } from '@svc/policy';
import { parseCall } from '@svc/protocol';
import { FakeClock } from '@svc/testing';
import { CredentialHealths } from '../credentials/credential-healths';
import { CredentialPool, type PoolMember } from '../credentials/credential-pool';
import { catalogOf } from '../testing/edge-under-test';
import { CredentialChoices } from './credential-choices';

/** Milliseconds, as contract and docs/credential-pools.md promise them. */
const PROMISED_MS = 0.05;
const ROUNDS = 201;
const PLANS_A_ROUND = 50;

const body = { model: 'acme/small', messages: [{ role: 'user', content: 'Hello' }] };
const call = routingCallOf(parseCall('chat_completions', Buffer.from(JSON.stringify(body))), () => []);

const member = (nth: number): PoolMember => ({
  id: `cred_${String(nth)}`,
  secret: 'secret',
  key: `cred_${String(nth)}`,
  provider: 'acme',
  weight: 100,
  healthEpoch: 0,
  healthKey: `cred_${String(nth)}:0`,
  rateLimit: null,
});

/** Plans a call of a conversation, over so many endpoints with so many credentials each. */
function planning(endpoints: number, credentials: number): () => void {
  const urls = Array.from({ length: endpoints }, (_, at) => `http://upstream-${String(at)}.test`);
  const catalog = parseCatalog(catalogOf(urls), { file: '', env: {} });
  const others = Array.from({ length: credentials - 1 }, (_, at) => member(at + 1));
  const pool = new CredentialPool([member(0), ...others]);
  const healths = new CredentialHealths(new FakeClock());
  const isChoice = endpoints * credentials > 1;
  let nth = 0;
  return () => {
    const sessionId = `session-${String(nth++)}`;
    const facts = { organizationId: 'org_1', modelId: body.model, sessionId, agentId: null };
    const key = isChoice ? affinityKey({ ...facts, conversation: () => null }) : null;
    planRoute(call, {
      catalog,
      policy: DEFAULT_POLICY,
      hasPlatformCredential: () => true,
      hasOwnCredential: () => false,
      credentials: new CredentialChoices(
        healths,
        { policy: DEFAULT_POLICY, poolFor: (_, source) => (source === 'platform' ? pool : undefined) },
        sessionId,
        key,
      ),
      openCircuits: new Set(),
      figuresOf: () => UNMEASURED,
    });
  };
}

function medianMs(plan: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (let nth = 0; nth < PLANS_A_ROUND; nth++) plan();
    return (performance.now() - startedAt) / PLANS_A_ROUND;
  });
  return rounds.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2]!;
}

it('a choice among 3 endpoints with 5 credentials each costs at most 0.05 ms more than none', () => {
  const [plain, chosen] = [planning(1, 1), planning(3, 5)];
  medianMs(plain);
  medianMs(chosen);
  expect(medianMs(chosen) - medianMs(plain)).toBeLessThan(PROMISED_MS);
});
