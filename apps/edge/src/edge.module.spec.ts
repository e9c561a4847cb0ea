import { writeFileSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { eventually, ScriptedUpstream, sseFrames, type SseFrame } from '@svc/testing';
import { catalogOf, startEdge, type EdgeUnderTest } from './testing/edge-under-test';

jest.setTimeout(60_000);

let test: TestDatabase;
let upstream: ScriptedUpstream;
let edge: EdgeUnderTest;
beforeEach(async () => {
  test = await openTestDatabase();
  upstream = await ScriptedUpstream.start();
  edge = await startEdge({ database: test.database, upstreamUrls: [upstream.url] });
});
afterEach(async () => {
  await upstream.close();
  await test.close();
});

const CHAT = { model: 'acme/small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
const chat = (body: object = CHAT) => edge.post('/v1/chat/completions', body);
const frame = (chunk: object): string => `data: ${JSON.stringify({ model: 'small-1', ...chunk })}\n\n`;
const opensStream = (): Promise<ServerResponse> =>
  new Promise((resolve) => {
    upstream.next((_, response) => {
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
  const response = await fetch(`${edge.url}/v1/models`, { headers: { 'x-api-key': edge.apiKey } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
};
/** Jest gives tests a process object of their own, which a real signal would pass by. */
const hangUp = (): void => void process.emit('SIGHUP');

describe('the edge at a SIGHUP', () => {
  afterEach(() => edge.close());

  it('serves a new model at once, and a stream that runs to its end', async () => {
    const [response, upstreamAnswer] = await Promise.all([chat({ ...CHAT, stream: true }), opensStream()]);
    const frames = sseFrames(response);
    await frames.next();
    writeFileSync(edge.catalogFile, catalogOf([upstream.url], ['acme/large']));
    expect((await chat({ ...CHAT, model: 'acme/large' })).status).toBe(404);
    hangUp();
    expect(await modelIds()).toEqual(['acme/large']);
    expect((await chat()).status).toBe(404);
    endStream(upstreamAnswer);
    expect((await restOf(frames)).at(-1)).toBe('[DONE]');
  });

  it('over a broken file goes on as before', async () => {
    writeFileSync(edge.catalogFile, 'providers: [');
    hangUp();
    expect(await modelIds()).toEqual(['acme/small']);
  });
});

describe('the edge that is told to stop', () => {
  it('lets a running stream finish, books it, and leaves no lease behind', async () => {
    const [response, upstreamAnswer] = await Promise.all([chat({ ...CHAT, stream: true }), opensStream()]);
    const frames = sseFrames(response);
    await frames.next();
    const closing = edge.close();
    await eventually(async () => {
      await expect(fetch(`${edge.url}/v1/models`)).rejects.toThrow();
    });
    endStream(upstreamAnswer);
    expect((await restOf(frames)).at(-1)).toBe('[DONE]');
    await closing;
    expect(await test.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({
      status: 'succeeded',
    });
    expect(await test.database.prisma.edgeInstance.count()).toBe(0);
  });

  it('no longer listens for signals', async () => {
    const listeners = process.listenerCount('SIGHUP');
    await edge.close();
    expect(process.listenerCount('SIGHUP')).toBe(listeners - 1);
  });
});
