import { addressesIn } from './addresses';

describe('the addresses of a text', () => {
  it.each([
    ['', []],
    [' \n ', []],
    ['192.0.2.0/24\n2001:db8::7\n', ['192.0.2.0/24', '2001:db8::7']],
    ['192.0.2.1, 192.0.2.2;', ['192.0.2.1', '192.0.2.2;']],
    ['192.0.2.1\r\n192.0.2.1', ['192.0.2.1']],
  ])('of %j are %j', (typed, addresses) => {
    expect(addressesIn(typed)).toEqual(addresses);
  });
});
