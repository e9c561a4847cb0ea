import { parseCatalog, type ModelEndpoint } from '@svc/catalog';
import { DEFAULT_POLICY } from '@svc/policy';
import { FakeClock } from '@svc/testing';
import { catalogOf } from '../testing/edge-under-test';
import { CredentialChoices } from './credential-choices';
import { CredentialHealths } from '../credentials/credential-healths';
import { CredentialPool, type PoolMember } from '../credentials/credential-pool';

const catalog = parseCatalog(catalogOf(['http://acme.test']), { file: '', env: {} });
const [endpoint] = [...catalog.models.values()].flatMap(({ endpoints }) => endpoints);

const member = (id: string, weight = 100): PoolMember => ({
  id,
  secret: `secret of ${id}`,
  key: id,
  provider: 'acme',
  weight,
  healthEpoch: 0,
  healthKey: `${id}:0`,
  rateLimit: null,
});
const own = new CredentialPool([member('cred_3', 0), member('cred_2'), member('cred_1')]);
const platform = new CredentialPool([member('A', 0), member('B')]);
const triedAt = (changes: Partial<ModelEndpoint>, source: 'own' | 'platform') =>
  new CredentialChoices(
    new CredentialHealths(new FakeClock()),
    {
      policy: DEFAULT_POLICY,
      poolFor: (_, of) => (of === 'own' ? own : of === 'platform' ? platform : undefined),
    },
    'req_1',
  )
    .choose({ ...endpoint!, ...changes }, source)
    .tried.map(({ id }) => id);

describe('a call', () => {
  it('tries all credentials of an owner, the spare last', () => {
    expect(triedAt({}, 'own').at(-1)).toBe('cred_3');
    expect(triedAt({}, 'own')).toHaveLength(3);
    expect(triedAt({}, 'platform')).toEqual(['B', 'A']);
  });

  it('of a tuned model tries the one that trained it, or the one that took its place', () => {
    expect(triedAt({ credential: 'own', credentialId: 'cred_1' }, 'own')).toEqual(['cred_1']);
    expect(triedAt({ credential: 'own', credentialId: 'cred_gone' }, 'own')).toEqual(['cred_2']);
    expect(triedAt({ credential: 'platform' }, 'platform')).toEqual(['A']);
  });
});
