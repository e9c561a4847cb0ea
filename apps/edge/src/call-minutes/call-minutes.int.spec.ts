import { eventually } from '@svc/testing';
import { answersJson, completes } from '../testing/answers';
import { CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const chat = (more: object = {}) => world.edge.post('/v1/chat/completions', { ...CHAT, ...more });
const minutes = () =>
  world.database.prisma.callMinute.findMany({ orderBy: [{ provider: 'asc' }, { minute: 'asc' }] });
/** Summed, because a spec may run over the end of a minute. */
async function sums(): Promise<Record<string, readonly number[]>> {
  const byProvider: Record<string, readonly number[]> = {};
  for (const { provider, calls, failures, tries, spentNanos } of await minutes()) {
    const before = byProvider[provider] ?? [0, 0, 0, 0];
    const row = [calls, failures, tries, Number(spentNanos)];
    byProvider[provider] = before.map((sum, at) => sum + row[at]!);
  }
  return byProvider;
}

describe('calls by the minute', () => {
  it('are what the calls of an edge were, and are written when it stops', async () => {
    await world.start({ upstreamUrls: [world.upstream.url, world.upstream.url] });
    world.upstream.next(completes(7, 5));
    world.upstream.next(answersJson({}, 503));
    world.upstream.next(completes(7, 5));
    world.upstream.next(answersJson({ error: { message: 'No.' } }, 400));
    world.upstream.next(answersJson({}, 500));
    world.upstream.next(answersJson({}, 500));
    const statuses = [];
    for (let call = 0; call < 4; call++) statuses.push((await chat()).status);
    expect(statuses).toEqual([200, 200, 400, 502]);
    expect((await chat({ model: 'made/up' })).status).toBe(404);
    await world.edge.close();
    expect(await sums()).toEqual({
      '': [2, 1, 0, 0],
      'upstream-1': [1, 0, 4, 570],
      'upstream-2': [1, 0, 2, 570],
    });
    const first = (await minutes()).find(({ provider, calls }) => provider === 'upstream-1' && calls > 0);
    const { organizationId } = world.edge;
    const key = await world.database.prisma.apiKey.findFirstOrThrow({ where: { organizationId } });
    expect(first).toMatchObject({ organizationId, apiKeyId: key.id, projectId: key.projectId ?? '' });
    expect(first).toMatchObject({ model: 'acme/small', inputTokens: 7n, outputTokens: 5n, ttftCounts: [1] });
  });

  it('are written within seconds, while the edge runs', async () => {
    await world.start();
    world.upstream.next(completes(7, 5));
    await (await chat()).text();
    await eventually(async () => expect(await sums()).toEqual({ 'upstream-1': [1, 0, 1, 570] }));
  });
});

describe('circuits', () => {
  it('that open are told to the others at once', async () => {
    await world.start();
    const circuits = () =>
      world.database.pool.query<{ state: string }>('SELECT model, provider, state FROM endpoint_circuits');
    for (let call = 0; call < 5; call++) {
      world.upstream.next(answersJson({}, 500));
      expect((await chat()).status).toBe(502);
    }
    await eventually(async () => {
      expect((await circuits()).rows).toEqual([
        { model: 'acme/small', provider: 'upstream-1', state: 'open' },
      ]);
    });
    expect((await chat()).status).toBe(503);
    await world.edge.close();
    expect((await circuits()).rows).toMatchObject([{ state: 'unknown' }]);
  });
});
