import { connect } from 'node:net';
import { NameServer } from '../testing/name-server';
import { answering, RawReceiver } from '../testing/raw-receiver';
import { publicAddresses } from './resolve-addresses';
import { WebhookTransport, type WebhookTransportOptions } from './webhook-transport';

let names: NameServer;
let inside: RawReceiver;
let spy: RawReceiver | null = null;
beforeEach(async () => {
  names = await NameServer.start();
  inside = await RawReceiver.start(answering('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'));
});
afterEach(async () => {
  await Promise.all([names.close(), inside.close(), spy?.close()]);
  spy = null;
});

const BLOCKED = { statusCode: null, error: 'blocked_address', responseExcerpt: null };
const transport = (options: Partial<WebhookTransportOptions> = {}) =>
  new WebhookTransport({
    policy: { allowPrivate: false, ownHosts: ['gateway.example.com'] },
    resolve: publicAddresses([names.address]),
    ...options,
  });
const post = (url: string, options?: Partial<WebhookTransportOptions>) =>
  transport(options).post({ url, headers: {}, body: Buffer.from('{}') });
const urlOf = (host: string) => `https://${host}:${String(inside.port)}/`;

describe('16: at each connection, whatever the URL was when it was written', () => {
  it.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '１２７.0.0.1',
      '127.0.0.1.',
      '0.0.0.0',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::7f00:1]',
      '[64:ff9b::7f00:1]',
      '[fe80::1]',
      '[fd00:ec2::254]',
    ],
    ...['10.0.0.1', '169.254.169.254', '168.63.129.16', '100.100.100.200', '192.168.1.1', '[2002:7f00:1::]'],
    ...[
      'localhost',
      'localhost.',
      'foo.localhost',
      'intranet',
      'metadata.google.internal',
      'a.local',
      'b.test',
    ],
  ])('%s is not called', async (host) => {
    expect(await post(urlOf(host))).toMatchObject(BLOCKED);
    expect(inside.sockets).toHaveLength(0);
    expect(names.asked).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['is private', ['127.0.0.1']],
    ['is private, IPv6 only', ['::1']],
    ['is public and private', ['93.184.216.34', '10.0.0.1']],
    ['is public in one family and private in the other', ['93.184.216.34', 'fd00::1']],
    ['is a machine’s metadata', ['169.254.169.254']],
    ['carries IPv4 in IPv6', ['64:ff9b::7f00:1']],
  ])('a name that %s is not called', async (_, addresses) => {
    names.set('hooks.example.com', { addresses });
    expect(await post(urlOf('hooks.example.com'))).toMatchObject(BLOCKED);
    expect(inside.sockets).toHaveLength(0);
  });

  it('a name that is an alias of a private one is not called', async () => {
    names.set('inner.example.com', { addresses: ['10.1.2.3'] });
    names.set('hooks.example.com', { alias: 'inner.example.com' });
    expect(await post(urlOf('hooks.example.com'))).toMatchObject(BLOCKED);
    expect(names.asked).toContain('hooks.example.com');
  });

  it('a name that changes between the check and the connection is resolved once', async () => {
    names.set('hooks.example.com', { addresses: ['93.184.216.34'] });
    const dialled: unknown[] = [];
    const dial = ((options: { lookup: (...given: unknown[]) => void; host: string }) => {
      names.set('hooks.example.com', { addresses: ['127.0.0.1'] });
      options.lookup(options.host, { all: true }, (_: unknown, addresses: unknown) =>
        dialled.push(addresses),
      );
      return connect({ host: '127.0.0.1', port: inside.port });
    }) as unknown as typeof connect;
    expect(await post(urlOf('hooks.example.com'), { connect: dial })).toMatchObject(BLOCKED);
    expect(dialled).toEqual([[{ address: '93.184.216.34', family: 4 }]]);
    expect(names.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  it('the connected peer is checked before a byte is sent', async () => {
    names.set('hooks.example.com', { addresses: ['93.184.216.34'] });
    let received = 0;
    spy = await RawReceiver.start(
      (socket) => socket.on('data', ({ length }: Buffer) => (received += length)),
      true,
    );
    const { port } = spy;
    const dial = (() => connect({ host: '127.0.0.1', port })) as unknown as typeof connect;
    expect(await post(urlOf('hooks.example.com'), { connect: dial })).toMatchObject(BLOCKED);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toBe(0);
  });

  it('18: credentials, port 0 and plain http are not called', async () => {
    for (const url of [
      'https://user:pass@hooks.example.com/',
      'https://hooks.example.com:0/',
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
    ]) {
      expect(await post(url)).toMatchObject(BLOCKED);
    }
    expect(names.asked).toEqual([]);
  });

  it('19: the gateway itself is not called', async () => {
    expect(await post('https://gateway.example.com/v1/models')).toMatchObject(BLOCKED);
  });
});

describe('17: a name', () => {
  it.each([
    ['does not exist', { rcode: 3 }],
    ['is not served', { rcode: 2 }],
    ['has no address', { addresses: [] }],
  ])('that %s is a failure of its own', async (_, record) => {
    names.set('hooks.example.com', record);
    expect(await post(urlOf('hooks.example.com'))).toMatchObject({ statusCode: null, error: 'dns_failed' });
  });
});
