import { credentialContext } from '@svc/policy/store';
import { createSealer } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { OrganizationCredentials, type OwnCredentials } from './organization-credentials';

const sealer = createSealer(Buffer.alloc(32, 1));
const logger = createLogger({ service: 'edge', level: 'silent' });
const stored = (id: string, provider: string, by = sealer) => ({
  id,
  provider,
  sealedSecret: by.seal(Buffer.from(`secret of ${id}`), credentialContext(id)),
  weight: 100,
  rateLimitRpm: null,
  rateLimitTpm: null,
  healthEpoch: 0,
});
const secretsOf = (credentials: OwnCredentials) =>
  [...credentials].map(([provider, { members }]) => [provider, members.map(({ secret }) => secret)]);

describe('the credentials of an organization', () => {
  it('are opened, and looked up once however many calls ask', async () => {
    const asked: string[] = [];
    const credentials = new OrganizationCredentials(
      (organizationId) => {
        asked.push(organizationId);
        return Promise.resolve([
          stored('cred_2', 'acme'),
          stored('cred_1', 'acme'),
          stored('cred_3', 'other'),
        ]);
      },
      sealer,
      logger,
    );
    const all = await Promise.all(Array.from({ length: 5 }, () => credentials.of('org_1')));
    expect(secretsOf(all[4]!)).toEqual([
      ['acme', ['secret of cred_2', 'secret of cred_1']],
      ['other', ['secret of cred_3']],
    ]);
    expect(asked).toEqual(['org_1']);
  });

  it('leave out a credential that another master key sealed', async () => {
    const foreigner = createSealer(Buffer.alloc(32, 2));
    const foreign = stored('cred_1', 'acme', foreigner);
    const find = () =>
      Promise.resolve([foreign, stored('cred_2', 'other'), stored('cred_3', 'other', foreigner)]);
    const found = await new OrganizationCredentials(find, sealer, logger).of('org_1');
    expect(secretsOf(found)).toEqual([['other', ['secret of cred_2']]]);
  });
});
