import { IdempotencyStore } from '@svc/persistence';
import { openTestDatabase } from '@svc/persistence/testing';
import { deleteExpiredClaims } from './delete-expired-claims';

describe('idempotency keys', () => {
  it('are deleted once they have expired, however many there are, and not before', async () => {
    const test = await openTestDatabase();
    const claim = (key: string, expiresAt: Date) => ({
      organizationId: 'org_1',
      key,
      requestId: 'req_1',
      fingerprintSha256: Buffer.alloc(32),
      edgeInstanceId: 'edge_1',
      expiresAt,
    });
    const expired = Array.from({ length: 501 }, (_, at) => claim(String(at), new Date(0)));
    await test.database.prisma.idempotencyClaim.createMany({
      data: [...expired, claim('live', new Date(Date.now() + 60_000))],
    });
    const store = new IdempotencyStore(test.database);
    expect(await deleteExpiredClaims(store)).toEqual({ more: true });
    expect(await deleteExpiredClaims(store)).toEqual({ more: false });
    expect(await test.database.prisma.idempotencyClaim.findMany()).toMatchObject([{ key: 'live' }]);
    await test.close();
  });
});
