import fc from 'fast-check';
import { addressListOf, isAddressListed } from './address-list';
import { clientAddress } from './client-address';

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];
const listed = addressListOf(PROXIES);

describe('the client’s address behind listed proxies', () => {
  it.each([
    ['is the peer without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the peer where it is no proxy', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['is what the proxy says', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'is the first from the right that is no proxy',
      '10.0.0.1',
      '203.0.113.7, 198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    ['is the leftmost if all are proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['knows proxies by mapped addresses', '::ffff:10.0.0.1', '203.0.113.7, ::ffff:10.0.0.2', '203.0.113.7'],
    ['knows proxies of IPv6', '2001:db8:ffff::1', '2001:DB8::7', '2001:db8::7'],
    ['is of IPv4 where it is mapped', '10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    [
      'is what was sent where that is no address',
      '10.0.0.1',
      '203.0.113.7, 203.0.113.7:443',
      '203.0.113.7:443',
    ],
    ['is nothing where a proxy names nobody', '10.0.0.1', '203.0.113.7,', ''],
    ['is the peer where the header is empty', '10.0.0.1', ' , ', '10.0.0.1'],
    ['is nothing where the peer is not known', '', '203.0.113.7', ''],
  ])('%s', (_, peer, header, expected) => {
    expect(clientAddress(peer, header, listed)).toBe(expected);
  });

  it('is never chosen by the client, whatever it sends through a proxy that appends the peer', () => {
    const anything = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.9', '', ','));
    fc.assert(
      fc.property(fc.array(anything), fc.oneof(fc.ipV4(), fc.ipV6()), (sent, real) => {
        fc.pre(!isAddressListed(listed, real));
        const expected = clientAddress(real, undefined, 0);
        expect(clientAddress('10.0.0.1', [...sent, real].join(', '), listed)).toBe(expected);
        expect(clientAddress('10.0.0.1', [...sent, real, '10.1.1.1'].join(','), listed)).toBe(expected);
        expect(clientAddress(real, sent.join(','), listed)).toBe(expected);
      }),
    );
  });
});

describe('the client’s address behind a number of proxies', () => {
  const header = '203.0.113.7, 198.51.100.1';
  it.each([
    [0, header, '10.0.0.1'],
    [1, header, '198.51.100.1'],
    [2, header, '203.0.113.7'],
    [3, header, '203.0.113.7'],
    [1, undefined, '10.0.0.1'],
    [1, '203.0.113.7, ', '203.0.113.7'],
    [1, '', '10.0.0.1'],
  ])('of %d, for %j, is %s', (proxies, forwardedFor, expected) => {
    expect(clientAddress('10.0.0.1', forwardedFor, proxies)).toBe(expected);
  });
});
