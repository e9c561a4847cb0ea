import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { formatIpAddress, parseIpAddress } from './ip-address';

/** Texts that are nearly addresses. */
const nearly = fc
  .array(
    fc.constantFrom('0', '1', '9', 'a', 'F', '255', '256', '08', '.', ':', '::', '%eth0', '/', ' ', 'ffff'),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''));

describe('an IP address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::', '::'],
    ['1::', '1::'],
    ['::192.0.2.1', '::c000:201'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('%s has the one form %s', (text, form) => {
    expect(formatIpAddress(parseIpAddress(text)!)).toBe(form);
  });

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.1.',
    '192.0.2.256',
    '192.0.2.01',
    '0300.0.2.1',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2.1:80',
    '[2001:db8::1]',
    '[2001:db8::1]:80',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8::',
    '1::2::3',
    ':::',
    '1:2:3:4:5:6:7',
    '2001:db8::12345',
    '::ffff:192.0.2.01',
    '192.0.2.1::',
    ' 192.0.2.1',
    '192.0.2.1\u00a0',
    '１９２.0.2.1',
  ])('is not %j', (text) => {
    expect(parseIpAddress(text)).toBeNull();
  });

  it('is what Node takes for one, without a zone', () => {
    const check = (text: string) => {
      expect([text, parseIpAddress(text) !== null]).toEqual([
        text,
        (isIPv4(text) || isIPv6(text)) && !text.includes('%'),
      ]);
    };
    fc.assert(fc.property(nearly, check), { numRuns: 5_000 });
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6()), check), { numRuns: 5_000 });
  });

  it('is read from its one form as the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIpAddress(text)!;
        expect(parseIpAddress(formatIpAddress(address))).toEqual(address);
      }),
    );
  });
});
