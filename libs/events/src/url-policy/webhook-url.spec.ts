import fc from 'fast-check';
import { isPublicAddress } from './public-address';
import { readWebhookUrl } from './webhook-url';

const read = (text: string) => readWebhookUrl(text, { allowPrivate: false });
const readPrivate = (text: string) => readWebhookUrl(text, { allowPrivate: true });

describe('a webhook URL', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com'],
    ['https://hooks.example.com/', 'https://hooks.example.com/'],
    ['https://Hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com/svc?tenant=1&x=%00', 'https://hooks.example.com/svc?tenant=1&x=%00'],
    ['HTTPS://Hooks.Example.COM:443/A', 'https://hooks.example.com/A'],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/'],
    ['https://hooks.example.com:22/', 'https://hooks.example.com:22/'],
    ['https://hooks.example.com./a', 'https://hooks.example.com/a'],
    ['https://bücher.example.com/ü', 'https://xn--bcher-kva.example.com/%C3%BC'],
    ['https://аррle.com/', 'https://xn--le-6kc8da.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700:0:0:0:0:1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https:hooks.example.com', 'https://hooks.example.com/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://mylocal.com/', 'https://mylocal.com/'],
    ['https://@hooks.example.com/', 'https://hooks.example.com/'],
    ['https://hooks.example.com/a/../b@c:d', 'https://hooks.example.com/b@c:d'],
  ])('18: %s is read as %s', (text, url) => {
    expect(read(text)).toEqual({ url });
    expect(read(url)).toEqual({ url });
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '172.16.0.1',
    '192.168.1.1',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[2001::1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'foo.localhost',
    'foo.localhost.',
    'localhost.localdomain',
    'printer',
    'printer.local',
    'metadata.google.internal',
    'metadata.google.internal.',
    'db.intranet',
    'vault.corp',
    'nas.home',
    'nas.home.arpa',
    'nas.lan',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'abc.onion',
    'x.test',
    'x.invalid',
    'x.example',
    'local\u00adhost',
    'ｌｏｃａｌｈｏｓｔ',
    'a..example.com',
    '.example.com',
    'example.com..',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'exa*mple.com',
  ])('16, 18: is refused with the host %s', (host) => {
    expect(read(`https://${host}/hook`)).toEqual({ problem: 'must have a public host' });
  });

  it.each([
    ['http://hooks.example.com/', 'must use https'],
    ['ftp://hooks.example.com/', 'must use https'],
    ['file:///etc/passwd', 'must use https'],
    ['gopher://127.0.0.1:6379/_x', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['https://u:p@hooks.example.com/', 'must not contain a user name or password'],
    ['https://u@hooks.example.com/', 'must not contain a user name or password'],
    ['https://hooks.example.com\\@127.0.0.1/', null],
    ['https://good.example.com@127.0.0.1/', 'must not contain a user name or password'],
    ['https://hooks.example.com/#part', 'must not have a fragment'],
    ['https://hooks.example.com/#', 'must not have a fragment'],
    ['https://hooks.example.com:0/', 'must not use port 0'],
    ['https://hooks.example.com:65536/', 'must be an absolute URL'],
    ['https://hooks.example.com:-1/', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https:///', 'must be an absolute URL'],
    ['https://?', 'must be an absolute URL'],
    ['https://256.1.1.1/', 'must be an absolute URL'],
    ['https://1.2.3.4.5/', 'must be an absolute URL'],
    ['https://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['https://[::1/', 'must be an absolute URL'],
    ['https://exa%00mple.com/', 'must be an absolute URL'],
    ['https://exa%2fmple.com/', 'must be an absolute URL'],
    ['hooks.example.com', 'must be an absolute URL'],
    ['//hooks.example.com/', 'must be an absolute URL'],
    ['/hook', 'must be an absolute URL'],
    ['', 'must be an absolute URL'],
    [' https://hooks.example.com/', 'must not contain white space or control characters'],
    ['https://hooks.example.com/\n', 'must not contain white space or control characters'],
    ['https://hooks.exam\tple.com/', 'must not contain white space or control characters'],
    ['https://hooks.example.com/a b', 'must not contain white space or control characters'],
    ['https://hooks.example.com/\r\nX-Header: 1', 'must not contain white space or control characters'],
    ['https://hooks.example.com/\u0000', 'must not contain white space or control characters'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
    [`https://hooks.example.com/${'ü'.repeat(400)}`, 'must have at most 2048 characters'],
  ])('18: %j: %s', (text, problem) => {
    // `URL` reads a backslash as a slash, so the host is before it.
    const expected = problem === null ? { url: 'https://hooks.example.com/@127.0.0.1/' } : { problem };
    expect(read(text)).toEqual(expected);
  });

  it('16: is judged alike in every number form of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (address) => {
        const [a, b, c, d] = [24, 16, 8, 0].map((bits) => (address >>> bits) & 0xff) as [
          number,
          number,
          number,
          number,
        ];
        const dotted = [a, b, c, d].join('.');
        const forms = [
          dotted,
          String(address),
          `0x${address.toString(16)}`,
          `0${address.toString(8)}`,
          `${String(a)}.${String(address & 0xff_ffff)}`,
          `${String(a)}.${String(b)}.${String(address & 0xffff)}`,
          [a, b, c, d].map((part) => `0x${part.toString(16)}`).join('.'),
          [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
          `${dotted}.`,
        ];
        const expected = isPublicAddress(dotted)
          ? { url: `https://${dotted}/` }
          : { problem: 'must have a public host' };
        for (const form of forms) expect(read(`https://${form}/`)).toEqual(expected);
      }),
    );
  });

  it('that is accepted uses https and a host with a dot or a public address, and is stable when read again', () => {
    const anyText = fc.oneof(
      fc.webUrl({ withFragments: true }),
      fc.string({ unit: 'binary' }).map((s) => `https://${s}`),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const result = read(text);
        if ('problem' in result) return;
        const { protocol, hostname, username, hash } = new URL(result.url);
        expect([protocol, username, hash]).toEqual(['https:', '', '']);
        expect(hostname.includes('.') || isPublicAddress(hostname.slice(1, -1))).toBe(true);
        expect(read(result.url)).toEqual(result);
      }),
    );
  });
});

describe('where private hosts are allowed', () => {
  it.each([
    ['http://localhost:9000/hook', 'http://localhost:9000/hook'],
    ['http://127.1:9000', 'http://127.0.0.1:9000/'],
    ['https://[::1]:9000/', 'https://[::1]:9000/'],
    ['http://receiver/', 'http://receiver/'],
    ['http://10.0.0.5/', 'http://10.0.0.5/'],
  ])('a webhook URL may be %s', (text, url) => {
    expect(readPrivate(text)).toEqual({ url });
  });

  it.each([
    'http://169.254.169.254/',
    'http://u:p@localhost/',
    'http://localhost:0/',
    'ftp://localhost/',
    'http://a#b',
  ])('it may still not be %s', (text) => {
    expect(readPrivate(text)).toHaveProperty('problem');
  });
});

it('19: refuses the gateway’s own hosts, and only these', () => {
  const policy = { allowPrivate: true, ownHosts: ['gateway.example.com', 'localhost:8080'] };
  const problem = 'must not point to this service';
  expect(readWebhookUrl('https://Gateway.example.com./v1', policy)).toEqual({ problem });
  expect(readWebhookUrl('https://gateway.example.com:443/', policy)).toEqual({ problem });
  expect(readWebhookUrl('http://localhost:8080/', policy)).toEqual({ problem });
  expect(readWebhookUrl('http://localhost:8081/', policy)).toHaveProperty('url');
});
