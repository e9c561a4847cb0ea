import { parseCatalog } from '@svc/catalog';
import { openTestDatabase } from '@svc/database/testing';
import { CredentialReportStore } from '@svc/policy/store';
import { addEdge, refusedReport } from '@svc/policy/testing';
import { startManagement } from '../testing/management-under-test';

const provider = { protocol: 'openai', base_url: 'http://127.0.0.1:9' };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [
      { ...provider, name: 'acme', credential_env: ['ACME_KEY', { env: 'ACME_SPARE', weight: 0 }] },
      { ...provider, name: 'open' },
    ],
    models: [],
    endpoints: [],
  }),
  { file: 'catalog.yaml', env: {} },
);

it('the operator sees the platform’s credentials with the health that edges report, and nobody else does', async () => {
  const { database, close } = await openTestDatabase();
  const management = await startManagement({ database, catalog: () => catalog });
  try {
    await addEdge(database, 'edge_1');
    await new CredentialReportStore(database).write('edge_1', [
      refusedReport({ credential: 'env:acme/ACME_SPARE' }),
    ]);
    const operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    const unknown = { retry_at: null, headroom_bps: null };
    expect((await operator.get('/platform/v1/provider-credentials')).body.data).toEqual([
      { provider: 'acme', env: 'ACME_KEY', weight: 100, health: 'ok', ...unknown },
      {
        provider: 'acme',
        env: 'ACME_SPARE',
        weight: 0,
        health: 'refused',
        retry_at: expect.any(String) as string,
        headroom_bps: null,
      },
    ]);
    const owner = await management.withSession(await management.newOrganization(), 'owner');
    expect((await owner.get('/platform/v1/provider-credentials')).status).toBe(401);
  } finally {
    await management.close();
    await close();
  }
});
