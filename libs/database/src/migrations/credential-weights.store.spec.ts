import { openTestDatabase } from '../testing';
import { readSchema } from './migrate';

const UPGRADE = '20261130130000_credential_pools';

it('an upgrade leaves the weight to the newest active credential of each provider, so that nothing moves', async () => {
  const { database, close } = await openTestDatabase();
  try {
    const { prisma, pool } = database;
    await prisma.organization.createMany({ data: ['org_1', 'org_2'].map((id) => ({ id, name: id })) });
    const stored = (id: string, provider: string, state = 'active', organizationId = 'org_1') => {
      const secret = { secretCiphertext: Uint8Array.of(1), last4: '' };
      return { id, organizationId, provider, state, label: id, ...secret };
    };
    await prisma.providerCredential.createMany({
      data: [
        ...['cred_1', 'cred_2', 'cred_3'].map((id) => stored(id, 'acme')),
        stored('cred_4', 'acme', 'disabled'),
        stored('cred_5', 'acme', 'revoked'),
        stored('cred_6', 'other'),
        stored('cred_7', 'acme', 'active', 'org_2'),
      ],
    });
    const { sql } = readSchema().migrations.find(({ name }) => name === UPGRADE)!;
    await pool.query(/^UPDATE provider_credentials[^;]*;/m.exec(sql)![0]);
    const rows = await prisma.providerCredential.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map(({ id, weight }) => [id, weight])).toEqual([
      ['cred_1', 0],
      ['cred_2', 0],
      ['cred_3', 100],
      ['cred_4', 0],
      ['cred_5', 100],
      ['cred_6', 100],
      ['cred_7', 100],
    ]);
  } finally {
    await close();
  }
});
