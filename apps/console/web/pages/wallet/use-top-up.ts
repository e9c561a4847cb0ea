import { useRef } from 'react';
import { type OrganizationApi } from '../../api/client';
import { type components } from '../../api/generated/management';
import { useWrite } from '../../api/use-write';
import { type Write } from '../../api/writes';
import { useOrganization } from '../../session/organization';
import { withReturns } from './provider-returns';

type TopUp = components['schemas']['TopUp'];

export interface NewTopUp {
  /** Nano-dollars, in whole cents. */
  readonly amount: bigint;
  /** Whether the payment provider keeps the card. */
  readonly keepsCard: boolean;
}

/**
 * Begins a payment. Sent again with the same input, after a failure of the network for example, it is the same payment: the
 * form has one idempotency key for each input.
 */
export function useTopUp(): Write<NewTopUp, TopUp> {
  const { id } = useOrganization();
  const sent = useRef<(NewTopUp & { readonly key: string }) | null>(null);
  return useWrite(
    (api, { amount, keepsCard }: NewTopUp) => {
      if (sent.current?.amount !== amount || sent.current.keepsCard !== keepsCard)
        sent.current = { amount, keepsCard, key: newKey() };
      return begin(api, id, sent.current);
    },
    { changes: ['/payments'] },
  );
}

const begin = (
  api: OrganizationApi,
  organization: string,
  { amount, keepsCard, key }: NewTopUp & { readonly key: string },
): Promise<TopUp> =>
  withReturns(
    organization,
    (ending) => ({ tab: 'payments', checkout: ending }),
    (returns) =>
      api.post('/wallet/top-ups', {
        // Another body is another call.
        params: { header: { 'Idempotency-Key': returns.success_url === undefined ? `${key}-plain` : key } },
        body: { amount_nanos: amount, save_payment_method: keepsCard, ...returns },
      }),
  );

const KEY_BYTES = 16;
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
