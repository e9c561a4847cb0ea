import { CHAT } from '../testing/edge-under-test';
import { completes } from '../testing/answers';
import { edgeWorld } from '../testing/edge-world';

jest.setTimeout(60_000);

const world = edgeWorld();

const CHAT_PATH = '/v1/chat/completions';
const callWith = (apiKey: string, path = CHAT_PATH, body: object = CHAT) =>
  world.edge.post(path, body, { headers: { 'x-api-key': apiKey } });

/** All that a caller sees of a refusal but what differs from call to call. */
async function seen(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  const { 'x-request-id': requestId, date, ...headers } = Object.fromEntries(response.headers);
  expect(requestId).toMatch(/^req_/);
  expect(date).toBeDefined();
  return {
    status: response.status,
    headers,
    error: { ...error, request_id: requestId === error['request_id'] },
  };
}

describe('a flood of keys that are nobody’s', () => {
  beforeEach(() => world.start());

  it.each([CHAT_PATH, '/v1/messages'])('is refused at %s as the first of them was', async (path) => {
    const withoutId = async (apiKey: string) => {
      const { headers, ...rest } = await seen(await callWith(apiKey, path));
      expect(headers['request-id'] !== undefined).toBe(path === '/v1/messages');
      return { ...rest, headers: { ...headers, 'request-id': '' } };
    };
    const first = await withoutId('svc_sk_nobodys-0');
    expect(first).toMatchObject({ status: 401, error: { code: 'invalid_api_key', request_id: true } });
    const flood = [0, 0, 1, 2, 2, 3].map((at) => withoutId(`svc_sk_nobodys-${String(at)}`));
    for (const refusal of await Promise.all(flood)) expect(refusal).toEqual(first);
  });

  it('keeps nobody out who has a key, and nothing of a body is lost', async () => {
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
