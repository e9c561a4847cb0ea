import { ALLOWED_IPS_MAX, allowedIps, meetAllowedIps } from './allowed-ips';

const faultOf = (written: unknown) => {
  const [issue] = allowedIps.safeParse(written).error?.issues ?? [];
  return issue && [issue.path.join('.'), issue.message];
};

describe('the allowed addresses of a key', () => {
  it('are addresses and ranges of both families, as they were written', () => {
    const list = ['192.0.2.1', '10.0.0.0/8', '2001:DB8::/32', '::ffff:192.0.2.0/120'];
    expect(allowedIps.parse(list)).toEqual(list);
    expect(allowedIps.parse([])).toEqual([]);
    expect([allowedIps.parse(null), allowedIps.parse(undefined)]).toEqual([null, null]);
  });

  it.each([
    [['192.0.2.0/24', '10.0.0.1/8'], '1', /^has bits set behind its prefix: the range is 10\.0\.0\.0\/8$/],
    [['2001:db8::1/32'], '0', /the range is 2001:db8::\/32$/],
    [['localhost'], '0', /^must be an IPv4 or IPv6 address/],
    [['192.0.2.01'], '0', /^must be an IPv4 or IPv6 address/],
    [['fe80::1%eth0'], '0', /^must be an IPv4 or IPv6 address/],
    [['192.0.2.1 '], '0', /^must be an IPv4 or IPv6 address/],
    [['1'.repeat(50)], '0', /^must have at most 49 characters/],
    [[7], '0', /^must be a text/],
    ['192.0.2.1', '', /^must be a list/],
    [Array<string>(ALLOWED_IPS_MAX + 1).fill('192.0.2.1'), '', /^must have at most 100 entries/],
  ])('are not %j: entry %j is at fault', (written, path, message) => {
    expect(faultOf(written)).toEqual([path, expect.stringMatching(message)]);
  });

  it('that a key begins with are those that all lists have', () => {
    expect(meetAllowedIps(null, ['10.0.0.0/8', '192.0.2.1'], ['10.1.0.0/16', '::1'])).toEqual([
      '10.1.0.0/16',
    ]);
    expect(meetAllowedIps(null, null)).toBeNull();
    expect(meetAllowedIps(['10.0.0.0/8'], [])).toEqual([]);
  });
});
