import { WalletReading } from '@svc/persistence';
import { Get, Resource, type Call } from '@svc/platform/api';
import { presentWallet } from './present-wallet';
import { wallet } from './wallet-schema';

@Resource({
  path: 'wallet',
  one: 'Wallet',
  many: 'Wallets',
  tag: 'Wallet',
  description:
    'The money that calls are paid from: each holds what it may cost at most, and is charged what it did cost.',
})
export class WalletController {
  constructor(private readonly wallets: WalletReading) {}

  @Get('', {
    summary: 'The balance.',
    permission: 'wallet:read',
    scope: 'wallet:read',
    answer: wallet,
  })
  async get({ caller }: Call) {
    return presentWallet(await this.wallets.balance(caller.organizationId));
  }
}
