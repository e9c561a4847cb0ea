import { affinityEntryOf, affinityEntryText, holdsAffinity, type PlannedAttempt } from '@svc/policy';
import { Counter, type Registry } from '@svc/runtime/observability';
import { type CallAffinity } from '../call/call-affinity';
import { type RateLimiter } from '../limits/rate-limiter';
import { type OrganizationTerms } from '../policy/organization-terms';

interface AnsweredTurn {
  /** Null for a call that is part of no conversation, or has nothing to choose. */
  readonly affinity: CallAffinity | null;
  readonly terms: Pick<OrganizationTerms, 'policy'>;
}

/** Remembers where conversations were answered (docs/credential-pools.md#affinity). */
export class Affinities {
  private readonly answers: Counter<'result'>;

  constructor(
    private readonly limiter: Pick<RateLimiter, 'keepEntry'>,
    registry: Registry,
  ) {
    this.answers = new Counter({
      name: 'svc_affinity_total',
      help: 'Answered calls of models with several endpoints or credentials, by whether the conversation stayed where it was.',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  /** @param attempt the one that the provider answered, to the end */
  answered({ affinity, terms }: AnsweredTurn, attempt: PlannedAttempt): void {
    if (affinity === null) return;
    this.answers.inc({ result: resultOf(affinity, attempt) });
    if (!holdsAffinity(terms.policy, attempt.endpoint)) return;
    this.limiter.keepEntry(affinity, affinityEntryText(affinityEntryOf(attempt)));
  }
}

/** `miss`: there was no entry. `passed_over`: another endpoint or credential answered than the one in the entry. */
function resultOf({ entry }: CallAffinity, { affinity }: PlannedAttempt): 'hit' | 'miss' | 'passed_over' {
  if (entry === null) return 'miss';
  return affinity === 'pinned' ? 'hit' : 'passed_over';
}
