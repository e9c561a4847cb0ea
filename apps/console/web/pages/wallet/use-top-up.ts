import { useRef } from 'react';
import { ApiError } from '../../api/api-error';
import { type OrganizationApi } from '../../api/client';
import { type components } from '../../api/generated/management';
import { useWrite, type Write } from '../../api/use-api';
import { useOrganization } from '../../session/organization';
import { walletRoute } from './route';

type TopUp = components['schemas']['TopUp'];

/**
 * Begins a payment. Sent again with the same amount, after a failure of the network for example, it is the same payment:
 * the form has one idempotency key for each amount.
 */
export function useTopUp(): Write<bigint, TopUp> {
  const { id } = useOrganization();
  const sent = useRef<{ readonly amount: bigint; readonly key: string } | null>(null);
  return useWrite(
    (api, amount: bigint) => {
      if (sent.current?.amount !== amount) sent.current = { amount, key: newKey() };
      return begin(api, amount, sent.current.key, id);
    },
    { changes: ['/payments'] },
  );
}

async function begin(
  api: OrganizationApi,
  amount: bigint,
  key: string,
  organization: string,
): Promise<TopUp> {
  const post = (suffix: string, addresses: object) =>
    api.post('/wallet/top-ups', {
      params: { header: { 'Idempotency-Key': key + suffix } },
      body: { amount_nanos: amount, ...addresses },
    });
  try {
    return await post('', {
      success_url: backAt(organization, 'done'),
      cancel_url: backAt(organization, 'left'),
    });
  } catch (error) {
    // The console is open under another address than the one that the service knows: the provider shows its own end.
    if (error instanceof ApiError && error.param === 'success_url') return post('-plain', {});
    throw error;
  }
}

function backAt(organization: string, checkout: 'done' | 'left'): string {
  const address = new URL(`/console${walletRoute.to}`, location.origin);
  address.search = new URLSearchParams({ org: organization, tab: 'payments', checkout }).toString();
  return address.href;
}

const KEY_BYTES = 16;
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
