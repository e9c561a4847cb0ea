import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { addressListOf, isAddressListed, meetAddressLists } from './address-list';
import { isFault, parseAddressRange } from './address-range';

const isListed = (texts: readonly string[], address: string) =>
  isAddressListed(addressListOf(texts), address);

describe('an address range', () => {
  it.each([
    ['10.0.0.1/8', '10.0.0.0/8'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['0.0.0.1/0', '0.0.0.0/0'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::ffff:10.0.0.1/104', '::ffff:a00:0/104'],
    ['::ffff:0:0/80', '::/80'],
  ])('%s has host bits, and its network is %s', (text, network) => {
    expect(parseAddressRange(text)).toEqual({ fault: 'host_bits', network });
    expect(isFault(parseAddressRange(network))).toBe(false);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0-10.0.0.9',
    '10.0.0/8',
    '10.*',
    '::/129',
    'fe80::%eth0/64',
    '',
    '/8',
  ])('is not %j', (text) => {
    expect(parseAddressRange(text)).toEqual({ fault: 'unreadable' });
  });

  it('of mapped addresses is the range of IPv4', () => {
    expect(parseAddressRange('::ffff:192.0.2.0/120')).toEqual(parseAddressRange('192.0.2.0/24'));
    expect(parseAddressRange('::ffff:0:0/96')).toEqual(parseAddressRange('0.0.0.0/0'));
    expect(parseAddressRange('::ffff:192.0.2.1')).toEqual(parseAddressRange('192.0.2.1/32'));
  });
});

/** Few bits differ, so that ranges meet often. */
const ipv4 = fc.integer({ min: 0, max: 31 }).map((low) => `10.0.0.${String(low * 8)}`);
const ipv6 = fc.integer({ min: 0, max: 31 }).map((low) => `2001:db8::${(low * 8).toString(16)}`);
const address = fc.oneof(ipv4, ipv6);
const range = address.chain((text) =>
  fc.integer({ min: 0, max: isIPv4(text) ? 32 : 128 }).map((prefix) => {
    const parsed = parseAddressRange(`${text}/${String(prefix)}`);
    return isFault(parsed) && parsed.fault === 'host_bits' ? parsed.network : `${text}/${String(prefix)}`;
  }),
);
const list = fc.array(fc.oneof(address, range), { maxLength: 8 });

describe('an address list', () => {
  it('has the addresses of its ranges and no other, as Node’s list has', () => {
    fc.assert(
      fc.property(list, address, (texts, asked) => {
        const family = isIPv4(asked) ? 'ipv4' : 'ipv6';
        const node = new BlockList();
        // Apart by family: Node’s list takes an IPv4 address for one of a range of IPv6 around the mapped ones.
        for (const text of texts.filter((each) => isIPv4(each.split('/')[0]!) === isIPv4(asked))) {
          const [base = '', prefix] = text.split('/');
          if (prefix === undefined) node.addAddress(base, family);
          else if (prefix !== '0') node.addSubnet(base, Number(prefix), family);
        }
        const hasAll = texts.includes(family === 'ipv4' ? '0.0.0.0/0' : '::/0');
        expect(isListed(texts, asked)).toBe(hasAll || node.check(asked, family));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has a mapped address where it has the IPv4 address, and no IPv4 address by a range of IPv6', () => {
    expect(isListed(['192.0.2.0/24'], '::ffff:192.0.2.9')).toBe(true);
    expect(isListed(['::ffff:192.0.2.9'], '192.0.2.9')).toBe(true);
    expect(isListed(['::/0'], '192.0.2.9')).toBe(false);
    expect(isListed(['0.0.0.0/0'], '::1')).toBe(false);
  });

  it('has nobody when it is empty, no text that is no address, and nothing by an entry that cannot be read', () => {
    expect(isListed([], '192.0.2.1')).toBe(false);
    expect(isListed(['0.0.0.0/0', '::/0'], 'unknown')).toBe(false);
    expect(isListed(['10.0.0.1/8', 'localhost'], '10.0.0.1')).toBe(false);
  });

  it('that meets another has exactly what both have, and no entry that another covers', () => {
    fc.assert(
      fc.property(list, list, address, (one, other, asked) => {
        const met = meetAddressLists(one, other)!;
        expect(isListed(met, asked)).toBe(isListed(one, asked) && isListed(other, asked));
        const ranges = addressListOf(met);
        ranges.forEach((each, at) => {
          const others = met.filter((_, otherAt) => otherAt !== at);
          expect(meetAddressLists([met[at]!], others)).not.toEqual([met[at]!]);
          expect(each.first <= each.last).toBe(true);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('that meets null, or itself, is itself', () => {
    const texts = ['10.0.0.0/8', '2001:db8::1'];
    expect(meetAddressLists(texts, null)).toEqual(texts);
    expect(meetAddressLists(null, texts)).toEqual(texts);
    expect(meetAddressLists(texts, texts)).toEqual(texts);
    expect(meetAddressLists(null, null)).toBeNull();
    expect(meetAddressLists(texts, [])).toEqual([]);
  });
});
