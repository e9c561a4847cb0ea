import { writeFileSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { eventually, sseFrames, type SseFrame } from '@svc/testing';
import { type JobThread } from './second-thread/second-thread';
import { catalogOf, CHAT } from './testing/edge-under-test';
import { edgeWorld } from './testing/edge-world';

const world = edgeWorld();

const chat = (body: object = CHAT) => world.edge.post('/v1/chat/completions', body);
const frame = (chunk: object): string => `data: ${JSON.stringify({ model: 'small-1', ...chunk })}\n\n`;
const opensStream = (): Promise<ServerResponse> =>
  new Promise((resolve) => {
    world.upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ choices: [{ index: 0, delta: { content: 'Hi' } }] }));
      resolve(response);
    });
  });
const endStream = (response: ServerResponse): void => {
  response.end(
    frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
      frame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }) +
      'data: [DONE]\n\n',
  );
};
const restOf = async (frames: AsyncIterable<SseFrame>): Promise<(string | null)[]> => {
  const data = [];
  for await (const frame of frames) data.push(frame.data);
  return data;
};
const modelIds = async (): Promise<string[]> => {
  const response = await fetch(`${world.edge.url}/v1/models`, {
    headers: { 'x-api-key': world.edge.apiKey },
  });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
};
/** Jest gives tests their own process object, which gets no real signals. */
const hangUp = (): void => void process.emit('SIGHUP');

describe('the edge at a SIGHUP', () => {
  it('serves a new model at once, and completes a running stream', async () => {
    await world.start();
    const [response, upstreamAnswer] = await Promise.all([chat({ ...CHAT, stream: true }), opensStream()]);
    const frames = sseFrames(response);
    await frames.next();
    writeFileSync(world.edge.catalogFile, catalogOf([world.upstream.url], ['acme/large']));
    expect((await chat({ ...CHAT, model: 'acme/large' })).status).toBe(404);
    hangUp();
    expect(await modelIds()).toEqual(['acme/large']);
    expect((await chat()).status).toBe(404);
    endStream(upstreamAnswer);
    expect((await restOf(frames)).at(-1)).toBe('[DONE]');
  });

  it('keeps its catalog when the new file is invalid', async () => {
    await world.start();
    writeFileSync(world.edge.catalogFile, 'providers: [');
    hangUp();
    expect(await modelIds()).toEqual(['acme/small']);
  });

  it('loads the tokenizer for its first endpoint with estimated usage', async () => {
    const jobs: string[] = [];
    const thread: JobThread = {
      run: (kind) => {
        jobs.push(kind);
        return Promise.reject(new Error('No job is done here.'));
      },
      close: () => Promise.resolve(),
    };
    await world.start({ thread });
    hangUp();
    expect(jobs).toEqual([]);
    const catalog = JSON.parse(catalogOf([world.upstream.url])) as { endpoints: object[] };
    const endpoints = catalog.endpoints.map((endpoint) => ({ ...endpoint, usage: 'estimated' }));
    writeFileSync(world.edge.catalogFile, JSON.stringify({ ...catalog, endpoints }));
    hangUp();
    await eventually(() => {
      expect(jobs).toEqual(['output']);
    });
  });
});

describe('the edge at a shutdown', () => {
  it('completes a running stream, settles it, and leaves no lease behind', async () => {
    await world.start();
    const [response, upstreamAnswer] = await Promise.all([chat({ ...CHAT, stream: true }), opensStream()]);
    const frames = sseFrames(response);
    await frames.next();
    const closing = world.edge.close();
    await eventually(async () => {
      await expect(fetch(`${world.edge.url}/v1/models`)).rejects.toThrow();
    });
    endStream(upstreamAnswer);
    expect((await restOf(frames)).at(-1)).toBe('[DONE]');
    await closing;
    expect(await world.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({
      status: 'succeeded',
    });
    expect(await world.database.prisma.edgeInstance.count()).toBe(0);
  });

  it('ends running calls after the drain time as if their callers had disconnected, and settles them', async () => {
    await world.start({ drainMs: 300 });
    const [response] = await Promise.all([chat({ ...CHAT, stream: true }), opensStream()]);
    const frames = sseFrames(response);
    await frames.next();
    await world.edge.close();
    await expect(frames.next()).rejects.toThrow();
    expect(await world.upstream.received[0]!.answered).toBe(false);
    expect(await world.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({
      status: 'cancelled',
      costState: 'provisional',
    });
    expect(await world.database.prisma.wallet.findFirstOrThrow()).toMatchObject({ heldNanos: 0n });
  });

  it('no longer listens for signals', async () => {
    await world.start();
    const listeners = process.listenerCount('SIGHUP');
    await world.edge.close();
    expect(process.listenerCount('SIGHUP')).toBe(listeners - 1);
  });
});
