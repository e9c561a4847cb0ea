import { openTestDatabase } from '@svc/database/testing';
import { startEdge } from '../testing/edge-under-test';

it('the edge records when a key was last used, and has written it after a shutdown', async () => {
  const test = await openTestDatabase();
  const edge = await startEdge({ database: test.database, upstreamUrls: [] });
  const { prisma } = test.database;
  const startedAtMs = Date.now();
  const listed = await fetch(`${edge.url}/v1/models`, { headers: { 'x-api-key': edge.apiKey } });
  expect(listed.status).toBe(200);
  await edge.close();

  const { lastUsedAt } = await prisma.apiKey.findFirstOrThrow();
  expect(lastUsedAt?.getTime()).toBeGreaterThanOrEqual(startedAtMs);
  await test.close();
});
