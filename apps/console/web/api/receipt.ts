import { transport } from './transport';

/**
 * The receipt of a payment as a page to print. The API answers it to who asks for a page.
 * @throws what `transport` throws.
 */
export async function receiptPage(organizationId: string, paymentId: string): Promise<string> {
  const path = ['organizations', organizationId, 'payments', paymentId, 'receipt'].map(encodeURIComponent);
  const call = new Request(`/api/v1/${path.join('/')}`, { headers: { Accept: 'text/html' } });
  return (await transport(call)).text();
}
