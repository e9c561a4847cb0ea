import { GatewayError } from '@svc/kernel';

/** Where the payer comes back to from the provider's page. */
export interface ReturnUrls {
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
}

/** @throws GatewayError `invalidRequest` for an address that is neither `https` nor on the service's own. */
export function requireReturns({ successUrl, cancelUrl }: ReturnUrls, baseUrl: string): void {
  requireReturn('success_url', successUrl, baseUrl);
  requireReturn('cancel_url', cancelUrl, baseUrl);
}

function requireReturn(param: string, url: string | null, baseUrl: string): void {
  if (url === null) return;
  const { protocol, origin } = new URL(url);
  if (protocol === 'https:' || origin === new URL(baseUrl).origin) return;
  throw new GatewayError('invalidRequest', `${param} must be https, or on ${baseUrl}.`, { param });
}
