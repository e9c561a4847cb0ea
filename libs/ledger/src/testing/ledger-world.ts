import { type Database } from '@svc/database';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type HoldRequest } from '../store/wallet/hold-request';
import { type Settlement } from '../store/wallet/settlement';
import { WalletStore } from '../store/wallet/wallet-store';

/** Organizations with credit, their calls, and the ledger's view of them. */
export class LedgerWorld {
  constructor(readonly database: Database) {}

  async newOrganization(credit: number): Promise<string> {
    const { id } = await this.database.prisma.organization.create({
      data: { id: systemIds('organization'), name: 'Acme' },
    });
    if (credit > 0) await new WalletStore(this.database).credit(id, nanos(credit), 'test');
    return id;
  }

  walletOf(organizationId: string) {
    return this.database.prisma.wallet.findUnique({
      where: { organizationId },
      select: { balanceNanos: true, heldNanos: true },
    });
  }

  recordOf({ requestId }: HoldRequest) {
    return this.database.prisma.requestRecord.findUnique({ where: { id: requestId } });
  }

  /** By their kind. */
  async transfersOf({ requestId }: HoldRequest): Promise<Record<string, bigint>> {
    const transfers = await this.database.prisma.ledgerTransfer.findMany({ where: { requestId } });
    return Object.fromEntries(transfers.map(({ kind, amountNanos }) => [kind, amountNanos]));
  }

  /** The reasons of its reconciliation events. */
  async reasonsFor({ requestId }: HoldRequest): Promise<readonly string[]> {
    const events = await this.database.prisma.outboxEvent.findMany({
      where: { type: 'request.reconciliation_required' },
    });
    return events
      .map(({ payload }) => (JSON.parse(payload) as { data: { request_id: string; reason: string } }).data)
      .flatMap(({ request_id, reason }) => (request_id === requestId ? [reason] : []));
  }

  /** Locks an organization's wallet, as another session would. @returns a function that unlocks it. */
  async lockWallet(organizationId: string): Promise<() => Promise<void>> {
    const session = await this.database.connectAlone();
    await session.query('BEGIN');
    await session.query('SELECT FROM wallets WHERE organization_id = $1 FOR UPDATE', [organizationId]);
    return async () => {
      await session.query('ROLLBACK');
      await session.end();
    };
  }
}

export const holdOf = (
  organizationId: string,
  amount: number,
  more: Partial<HoldRequest> = {},
): HoldRequest => ({
  requestId: systemIds('request'),
  organizationId,
  projectId: null,
  apiKeyId: 'key_1',
  edgeInstanceId: 'edge_1',
  sessionId: null,
  traceId: null,
  labels: null,
  usageTag: null,
  route: 'chat_completions',
  model: 'acme/small',
  stream: false,
  holdMin: nanos(amount),
  holdMax: nanos(amount),
  ...more,
});

/** Fields of a settlement where nothing but the money was observed. */
export const UNOBSERVED = { attempts: [], usage: null, ttftMs: null, durationMs: null } as const;

export const settlementOf = (
  {
    requestId,
    organizationId,
    model = 'acme/small',
  }: Pick<HoldRequest, 'requestId' | 'organizationId'> & Partial<HoldRequest>,
  charge: number | bigint,
  more: Partial<Settlement> = {},
): Settlement => ({
  requestId,
  organizationId,
  model,
  status: 'succeeded',
  charge: nanos(charge),
  costState: 'final',
  provider: 'acme',
  httpStatus: 200,
  errorCode: null,
  attempts: [{ provider: 'acme', region: 'eu-west' }],
  usage: { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3, outputTokens: 20, reasoningTokens: 5 },
  ttftMs: 12,
  durationMs: 34,
  events: [],
  ...more,
});
