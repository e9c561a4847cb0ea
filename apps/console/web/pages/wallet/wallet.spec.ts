import { checkoutOf } from './wallet';

describe('where a payment is paid', () => {
  it('is a page over https, with the host that it leads to', () => {
    expect(checkoutOf('https://checkout.stripe.com/c/pay/cs_1', true)).toEqual({
      url: 'https://checkout.stripe.com/c/pay/cs_1',
      host: 'checkout.stripe.com',
    });
  });

  it('is a page without TLS in test mode alone', () => {
    expect(checkoutOf('http://127.0.0.1:4010/pay/cs_1', false)?.host).toBe('127.0.0.1:4010');
    expect(checkoutOf('http://127.0.0.1:4010/pay/cs_1', true)).toBeNull();
  });

  it('is never a script, nor what is no address', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'pay here', null])
      expect(checkoutOf(url, false)).toBeNull();
  });
});
