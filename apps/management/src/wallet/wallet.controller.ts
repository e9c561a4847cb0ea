import { Get, Resource, type Call } from '@svc/api';
import { WalletReading } from '@svc/ledger/store';
import { type Collection } from '../collection';
import { CreditGrantsController } from './credit-grants.controller';
import { TransactionsController } from './transactions.controller';
import { presentWallet, wallet } from './wallet-schema';

@Resource({
  path: 'wallet',
  one: 'Wallet',
  many: 'Wallets',
  tag: 'Wallet',
  description:
    'The balance that pays for calls. Each call holds its maximum cost, and is charged its actual cost.',
})
class WalletController {
  constructor(private readonly wallets: WalletReading) {}

  @Get('', {
    summary: 'The balance of the wallet.',
    permission: 'wallet:read',
    scope: 'wallet:read',
    answer: wallet,
  })
  async get({ caller }: Call) {
    return presentWallet(await this.wallets.balance(caller.organizationId));
  }
}

export const wallets: Collection = {
  controllers: [WalletController, CreditGrantsController, TransactionsController],
  services: [],
  stores: [WalletReading],
};
