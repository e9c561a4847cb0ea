import { createHash } from 'node:crypto';
import { recordEvent, type RecordedEvent } from '@svc/events';
import { type Provider } from '@svc/catalog';
import { type Clock, formatId, type Id, ID_ENTROPY_BYTES } from '@svc/kernel';
import { lruCache } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type CallCredential } from './call-credential';

const HOUR_MS = 3_600_000;
const RECORDED_MAX = 10_000;

type RecordAuthFailure = (
  event: RecordedEvent,
  refused: { readonly credentialId: string; readonly at: Date },
) => Promise<boolean>;

/** A credential that its provider refused. */
interface RefusedCredential {
  readonly organizationId: string;
  readonly provider: Provider;
  readonly credential: CallCredential;
  /** That of the provider's answer. */
  readonly status: number;
}

/**
 * Reports credentials that providers refuse (docs/reference/errors.md#failures-of-a-provider): to an organization by the
 * event `credential.auth_failed`, to the operator by a log line.
 */
export class AuthFailures {
  /** Events that this process recorded: a failing credential costs one write an hour, not one a call. */
  private readonly recorded = lruCache<string, true>(RECORDED_MAX);

  constructor(
    private readonly record: RecordAuthFailure,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Never rejects: a report that fails must not fail the call. */
  async report({ organizationId, provider, credential, status }: RefusedCredential): Promise<void> {
    if (credential.id === null) {
      this.logger.error({ provider: provider.name, status }, 'provider refused the platform credential');
      return;
    }
    const now = this.clock.now();
    const id = eventIdOf(credential.id, status, now);
    if (this.recorded.has(id)) return;
    const event = recordEvent(id, 'credential.auth_failed', organizationId, now, {
      credential_id: credential.id,
      provider: provider.name,
      status,
    });
    try {
      await this.record(event, { credentialId: credential.id, at: new Date(now) });
      this.recorded.set(id, true);
    } catch (error) {
      this.logger.error({ credential_id: credential.id, err: error }, 'credential.auth_failed not recorded');
    }
  }
}

/** One id for all failures of a credential with a status within a clock hour, in every process: they become one event. */
function eventIdOf(credentialId: string, status: number, nowMs: number): Id<'event'> {
  const digest = createHash('sha256')
    .update(`credential.auth_failed/${credentialId}/${String(status)}`)
    .digest();
  return formatId('event', nowMs - (nowMs % HOUR_MS), digest.subarray(0, ID_ENTROPY_BYTES));
}
