import { Get, List, Resource, known, type Call } from '@svc/api';
import { WalletReading } from '@svc/ledger/store';
import { creditGrant, presentCreditGrant } from './wallet-schema';

const ids = { credit_grant_id: 'creditGrant' } as const;

@Resource({
  path: 'wallet/credit-grants',
  one: 'CreditGrant',
  many: 'CreditGrants',
  tag: 'Wallet',
  description: 'Credit that was added to the wallet.',
})
export class CreditGrantsController {
  constructor(private readonly wallets: WalletReading) {}

  @List('', {
    summary: 'The credit grants, newest first.',
    permission: 'wallet:read',
    scope: 'wallet:read',
    cursor: 'creditGrant',
    item: creditGrant,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.wallets.listGrants(caller.organizationId, page);
    return { items: items.map(presentCreditGrant), hasMore };
  }

  @Get(':credit_grant_id', {
    summary: 'One credit grant.',
    permission: 'wallet:read',
    scope: 'wallet:read',
    ids,
    answer: creditGrant,
  })
  async get({ caller, ids }: Call<{ ids: 'credit_grant_id' }>) {
    const found = known(await this.wallets.findGrant(caller.organizationId, ids.credit_grant_id));
    return presentCreditGrant(found);
  }
}
