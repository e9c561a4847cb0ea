import { Get, List, Resource, known, type Call } from '@svc/api';
import { WalletReading } from '@svc/ledger/store';
import { presentWalletTransaction, transactionFilters, walletTransaction } from './wallet-schema';

const ids = { transaction_id: 'walletTransaction' } as const;

@Resource({
  path: 'wallet/transactions',
  one: 'WalletTransaction',
  many: 'WalletTransactions',
  tag: 'Wallet',
  description: 'Every change of the balance. The amounts of all transactions add up to it.',
})
export class TransactionsController {
  constructor(private readonly wallets: WalletReading) {}

  @List('', {
    summary: 'The transactions, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'wallet:read',
    scope: null,
    cursor: 'walletTransaction',
    query: transactionFilters,
    item: walletTransaction,
  })
  async list({ caller, page, query }: Call<{ query: typeof transactionFilters }>) {
    const { items, ...rest } = await this.wallets.listTransactions(caller.organizationId, page, {
      kinds: query.kind,
      createdAfter: query.created_after,
      createdBefore: query.created_before,
    });
    return { ...rest, items: items.map(presentWalletTransaction) };
  }

  @Get(':transaction_id', {
    summary: 'One transaction.',
    permission: 'wallet:read',
    scope: null,
    ids,
    answer: walletTransaction,
  })
  async get({ caller, ids }: Call<{ ids: 'transaction_id' }>) {
    const found = known(await this.wallets.findTransaction(caller.organizationId, ids.transaction_id));
    return presentWalletTransaction(found);
  }
}
