import { CHAT } from '../../testing/edge-under-test';
import { completes } from '../../testing/answers';
import { edgeWorld } from '../../testing/edge-world';

const world = edgeWorld();

const CHAT_PATH = '/v1/chat/completions';
const callWith = (apiKey: string, path = CHAT_PATH, body: object = CHAT) =>
  world.edge.post(path, body, { headers: { 'x-api-key': apiKey } });

/** All that a caller sees of a refusal, with `ID` in place of its id. */
async function seen(response: Response) {
  const { date, ...headers } = Object.fromEntries(response.headers);
  expect(date).toBeDefined();
  const requestId = headers['x-request-id'] ?? '';
  expect(requestId).toMatch(/^req_/);
  const told = JSON.stringify({ status: response.status, headers, body: await response.json() });
  return JSON.parse(told.replaceAll(requestId, 'ID')) as object;
}

describe('a flood of unknown keys', () => {
  beforeEach(() => world.start());

  it.each([CHAT_PATH, '/v1/messages'])('is refused at %s like the first of them', async (path) => {
    const refusal = async (at: number) => seen(await callWith(`svc_sk_nobodys-${String(at)}`, path));
    const first = await refusal(0);
    expect(first).toMatchObject({
      status: 401,
      headers: { 'x-request-id': 'ID', ...(path === '/v1/messages' && { 'request-id': 'ID' }) },
      body: { error: { code: 'invalid_api_key', request_id: 'ID' } },
    });
    for (const later of await Promise.all([0, 0, 1, 2, 2, 3].map(refusal))) expect(later).toEqual(first);
  });

  it('refuses no valid key, and loses no part of a body', async () => {
    await callWith('svc_sk_nobodys');
    const content = 'x'.repeat(1_000_000);
    world.upstream.next(completes());
    const response = await callWith(world.edge.apiKey, CHAT_PATH, {
      ...CHAT,
      messages: [{ role: 'user', content }],
    });
    expect(response.status).toBe(200);
    expect(world.upstream.received[0]?.body.includes(content)).toBe(true);
  });
});
