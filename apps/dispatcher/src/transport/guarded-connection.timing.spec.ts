import { NameServer } from '../testing/name-server';
import { publicAddresses } from './resolve-addresses';
import { WebhookTransport } from './webhook-transport';

describe('17: a name', () => {
  let names: NameServer;
  beforeEach(async () => {
    names = await NameServer.start();
  });
  afterEach(() => names.close());

  it('that no server answers for fails in seconds, and delays no other name, though fifty of them wait', async () => {
    names.set('good.example.com', { addresses: ['93.184.216.34'] });
    for (let at = 0; at < 50; at++) names.set(`hole-${String(at)}.example.com`, 'silent');
    const resolve = publicAddresses([names.address]);
    const transport = new WebhookTransport({ policy: { allowPrivate: false }, resolve });
    const holes = Array.from({ length: 50 }, (_, at) =>
      transport.post({
        url: `https://hole-${String(at)}.example.com/`,
        headers: {},
        body: Buffer.from('{}'),
      }),
    );
    const startedAtMs = performance.now();
    for (let calls = 0; calls < 20; calls++)
      expect(await resolve('good.example.com')).toEqual(['93.184.216.34']);
    expect(performance.now() - startedAtMs).toBeLessThan(4_000);
    for (const answer of await Promise.all(holes)) {
      expect(answer).toMatchObject({ statusCode: null, error: 'dns_failed' });
      expect(answer.durationMs).toBeLessThan(9_000);
    }
  });
});
