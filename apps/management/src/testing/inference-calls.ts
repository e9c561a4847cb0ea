import { nanos, type JsonValue } from '@svc/kernel';
import { type Database } from '@svc/database';
import { type CallExplanation, type FinalStatus, LedgerStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { type CallLabels } from '@svc/protocol';
import { type Organization } from './management-under-test';

/** The fields of a call that specs set; the others do not matter. */
interface CallOfSpec {
  readonly projectId?: string | null;
  readonly apiKeyId?: string;
  readonly model?: string;
  readonly provider?: string | null;
  readonly stream?: boolean;
  readonly held?: number;
  readonly charge?: number;
  readonly status?: FinalStatus;
  readonly httpStatus?: number;
  readonly errorCode?: string | null;
  readonly traceId?: string;
  readonly labels?: CallLabels;
  readonly usageTag?: string;
  readonly upstreamRequestId?: string;
  readonly sessionId?: string;
  readonly policyVersion?: number;
  readonly explanation?: CallExplanation;
  readonly attempts?: readonly JsonValue[];
  readonly ttftMs?: number;
  readonly durationMs?: number;
}

/** Records calls as the edge does, without making them. */
export class InferenceCalls {
  private readonly ledger: LedgerStore;

  constructor(database: Database) {
    this.ledger = new LedgerStore(database);
  }

  /** A call under way. */
  async open(organization: Organization, call: CallOfSpec = {}): Promise<string> {
    const requestId = systemIds('request');
    const hold = nanos(call.held ?? 1_000);
    const { held } = await this.ledger.openHold({
      requestId,
      organizationId: organization.id,
      projectId: call.projectId ?? null,
      apiKeyId: call.apiKeyId ?? systemIds('apiKey'),
      edgeInstanceId: 'edge_1',
      sessionId: call.sessionId ?? null,
      traceId: call.traceId ?? null,
      labels: call.labels ?? null,
      usageTag: call.usageTag ?? null,
      route: 'chat_completions',
      model: call.model ?? 'acme/small',
      stream: call.stream ?? false,
      ...(call.policyVersion !== undefined && { policyVersion: call.policyVersion }),
      holdMin: hold,
      holdMax: hold,
    });
    if (held === null) throw new Error('The wallet of the spec holds too little');
    return requestId;
  }

  /** A call that has ended. */
  async make(organization: Organization, call: CallOfSpec = {}): Promise<string> {
    const requestId = await this.open(organization, call);
    const provider = call.provider === undefined ? 'acme' : call.provider;
    const httpStatus = call.httpStatus ?? 200;
    await this.ledger.settle({
      requestId,
      organizationId: organization.id,
      model: 'acme/small',
      status: call.status ?? 'succeeded',
      charge: nanos(call.charge ?? 100),
      costState: 'final',
      provider,
      httpStatus,
      errorCode: call.errorCode ?? null,
      attempts: call.attempts ?? [attemptOf(httpStatus, call)],
      ...(call.explanation !== undefined && { explanation: call.explanation }),
      usage: {
        inputTokens: 10,
        cachedInputTokens: 4,
        cacheWriteTokens: 3,
        outputTokens: 20,
        reasoningTokens: 5,
      },
      ttftMs: call.ttftMs ?? 12,
      durationMs: call.durationMs ?? 34,
      events: [],
    });
    return requestId;
  }
}

/** Without an id of the provider, as earlier versions stored it. */
const attemptOf = (status: number, { upstreamRequestId }: CallOfSpec) => ({
  provider: 'acme',
  region: 'eu-west',
  status,
  duration_ms: 34,
  ...(upstreamRequestId === undefined ? {} : { upstream_request_id: upstreamRequestId }),
});
