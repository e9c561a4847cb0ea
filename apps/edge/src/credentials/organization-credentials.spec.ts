import { credentialContext } from '@svc/policy/store';
import { createSealer } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { OrganizationCredentials } from './organization-credentials';

const sealer = createSealer(Buffer.alloc(32, 1));
const logger = createLogger({ service: 'edge', level: 'silent' });
const stored = (id: string, provider: string, by = sealer) => ({
  id,
  provider,
  sealedSecret: by.seal(Buffer.from(`secret of ${id}`), credentialContext(id)),
});

describe('the credentials of an organization', () => {
  it('are opened, and looked up once however many calls ask', async () => {
    const asked: string[] = [];
    const credentials = new OrganizationCredentials(
      (organizationId) => {
        asked.push(organizationId);
        return Promise.resolve([stored('cred_1', 'acme')]);
      },
      sealer,
      logger,
    );
    const all = await Promise.all(Array.from({ length: 5 }, () => credentials.of('org_1')));
    expect(all[4]).toEqual(new Map([['acme', { id: 'cred_1', secret: 'secret of cred_1' }]]));
    expect(asked).toEqual(['org_1']);
  });

  it('leave out a credential that another master key sealed', async () => {
    const foreign = stored('cred_1', 'acme', createSealer(Buffer.alloc(32, 2)));
    const find = () => Promise.resolve([foreign, stored('cred_2', 'other')]);
    const found = await new OrganizationCredentials(find, sealer, logger).of('org_1');
    expect([...found.keys()]).toEqual(['other']);
  });
});
