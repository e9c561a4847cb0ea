import { gzipSync } from 'node:zlib';
import { CHAT } from '../../testing/edge-under-test';
import { completes, errorOf } from '../../testing/answers';
import { edgeWorld } from '../../testing/edge-world';

const world = edgeWorld();
const PATHS = ['/v1/chat/completions', '/v1/messages', '/v1/embeddings', '/v1/messages/count_tokens'];

describe('the path of a call', () => {
  beforeEach(() => world.start());

  it('also takes a query', async () => {
    world.upstream.next(completes());
    expect((await world.edge.post('/v1/chat/completions?beta=true', CHAT)).status).toBe(200);
  });

  it.each(PATHS)(
    'is refused with 415 at %s when its body is compressed, once its caller is known',
    async (path) => {
      const send = (apiKey: string) =>
        fetch(world.edge.url + path, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-encoding': 'gzip' },
          body: gzipSync(JSON.stringify(CHAT)),
        });
      expect(await errorOf(await send(world.edge.apiKey))).toEqual({
        status: 415,
        code: 'unsupported_content_encoding',
        param: 'Content-Encoding',
      });
      expect((await send('svc_sk_wrong-one')).status).toBe(401);
      expect(world.upstream.received).toEqual([]);
    },
  );

  it.each(PATHS)('%s takes POST only', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(world.edge.url + path, {
        method,
        headers: { 'x-api-key': world.edge.apiKey },
      });
      expect(await errorOf(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    }
  });
});
