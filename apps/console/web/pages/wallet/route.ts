import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { WalletIcon } from '../../ui/icons/icons';
import { transactionList } from './list';

/** `/console/wallet`: what is left, where it came from and where it went. */
export const walletRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/wallet',
  validateSearch: address({
    tab: oneOf('transactions', 'charges', 'payments', 'grants', 'auto-top-up'),
    ...transactionList.address,
    add: flag,
    // How the payer comes back from the provider's page: of a payment, or of a card.
    checkout: oneOf('done', 'left'),
    card: oneOf('done', 'left'),
  }),
  staticData: {
    title: 'Wallet',
    group: 'money',
    icon: WalletIcon,
    permission: 'wallet:read',
    what: 'the wallet',
    commands: [
      { label: 'Add credit', permission: 'wallet:write', search: { add: 'true' } },
      { label: 'Set up automatic top-up', permission: 'wallet:write', search: { tab: 'auto-top-up' } },
    ],
  },
});
