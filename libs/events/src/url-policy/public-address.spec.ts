import fc from 'fast-check';
import { isAllowedAddress, isPublicAddress } from './public-address';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '3ffe:ffff::1',
];

const refusedAddresses = [
  ...[
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.0',
    '100.100.100.200',
    '100.127.255.255',
  ],
  ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '169.254.170.2', '172.16.0.0', '172.31.255.255'],
  ...[
    '192.0.0.192',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
  ],
  ...[
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
  ],
  ...['255.255.255.255', '168.63.129.16'],
  // Unspecified, loopback, IPv4-mapped, -compatible, -translated; NAT64, discard, segment routing.
  ...['::', '::1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::7f00:1', '::127.0.0.1', '::ffff:0:7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '5f00::1'],
  // Teredo, benchmarking, ORCHID, documentation, 6to4, AS112.
  ...['2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1', '2001:1ff:ffff::1', '2001:db8::1', '3fff::1'],
  ...['2002:7f00:1::', '2620:4f:8000::1'],
  // ISATAP, unique local (and AWS's metadata there), link-local, site-local, multicast, unassigned.
  ...[
    '::5efe:7f00:1',
    'fe80::5efe:7f00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ],
];

const notAddresses = [
  ...[
    '',
    'localhost',
    'example.com',
    '1.1.1',
    '1.1.1.1.1',
    '134744072',
    '0x8.8.8.8',
    '010.1.1.1',
    '1.1.1.256',
  ],
  ...['1.1.1.1 ', '1.1.1.1/32', '[2606:4700::1]', '2606:4700::1%eth0', '2606:4700::1/64', '2606:4700'],
];

describe('a public address', () => {
  it.each(publicAddresses)('16: is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(refusedAddresses)('16: is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(notAddresses)('is not %j, which is not an address in a resolver’s form', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it('is not an IPv6 form of an IPv4 address, public or not', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        for (const prefix of ['::ffff:', '::', '::ffff:0:', '64:ff9b::', 'fe80::5efe:']) {
          expect(isPublicAddress(prefix + ipv4)).toBe(false);
        }
      }),
    );
  });

  it('is within 2000::/3 whenever it is IPv6', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ipv6) => {
        const firstGroup = parseInt(ipv6.split(':')[0] === '' ? '0' : ipv6, 16);
        if (firstGroup < 0x2000 || firstGroup > 0x3fff) expect(isPublicAddress(ipv6)).toBe(false);
      }),
    );
  });
});

describe('an allowed address', () => {
  const allowed = (address: string) => isAllowedAddress(address, { allowPrivate: true });

  it('is any public one, and no other by default', () => {
    for (const address of publicAddresses)
      expect(isAllowedAddress(address, { allowPrivate: false })).toBe(true);
    for (const address of [...refusedAddresses, ...notAddresses]) {
      expect(isAllowedAddress(address, { allowPrivate: false })).toBe(false);
    }
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '::1',
    '::ffff:127.0.0.1',
    'fd12::1',
    '8.8.8.8',
  ])('is %s where private ones are', (address) => {
    expect(allowed(address)).toBe(true);
  });

  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    'fe80::1',
    '::',
    'ff02::1',
    'localhost',
    '',
  ])('is not %j even there', (address) => {
    expect(allowed(address)).toBe(false);
  });
});
