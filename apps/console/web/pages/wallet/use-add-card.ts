import { type components } from '../../api/generated/management';
import { useWrite } from '../../api/use-write';
import { type Write } from '../../api/writes';
import { useOrganization } from '../../session/organization';
import { withReturns } from './provider-returns';

/** Asks the payment provider for the page on which a card is entered. Nothing is saved before it is entered there. */
export function useAddCard(): Write<undefined, components['schemas']['PaymentMethodSetup']> {
  const { id } = useOrganization();
  return useWrite(
    (api) =>
      withReturns(
        id,
        (ending) => ({ tab: 'auto-top-up', card: ending }),
        (returns) => api.post('/payment-methods', { body: { ...returns } }),
      ),
    { changes: ['/audit-log'] },
  );
}
