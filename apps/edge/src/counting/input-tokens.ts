import { type Catalog, type Provider } from '@svc/catalog';
import {
  classifyFailure,
  type FailureVerdict,
  isNative,
  plainCall,
  type PlannedAttempt,
  planRoute,
  UNMEASURED,
} from '@svc/policy';
import { countBody, readTokenCount, type ParsedCall } from '@svc/protocol';
import { type CallTrace } from '../call/call-trace';
import { type CatalogSource } from '../catalog/catalog-source';
import { type AuthFailures } from '../credentials/auth-failures';
import { NO_CREDENTIAL } from '../credentials/call-credential';
import { type AnsweredCall, type CredentialHealths } from '../credentials/credential-healths';
import { CredentialChoices } from '../policy/credential-choices';
import { type PoolMember } from '../credentials/credential-pool';
import { type Circuits } from '../dispatch/circuits';
import { headersForEndpoint } from '../dispatch/call-headers';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';
import { type PolicyCaller } from '../policy/policies';
import { type TunedModels } from '../policy/tuned-models';
import { firstBytes } from '../providers/first-bytes';
import { type UpstreamClient } from '../providers/upstream-client';
import { type PromptCounter } from './prompt-counter';

/** After this the gateway counts by itself. */
const PROVIDER_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

interface InputTokens {
  readonly inputTokens: number;
  /** The provider's name; null when the gateway counted by itself. */
  readonly countedBy: string | null;
}

interface CountCaller extends PolicyCaller {
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
  readonly trace: CallTrace | null;
}

interface InputTokensParts {
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
  readonly tunedModels: TunedModels;
  readonly circuits: Circuits;
  readonly upstream: UpstreamClient;
  readonly authFailures: AuthFailures;
  readonly credentialHealths: CredentialHealths;
  readonly counter: PromptCounter;
}

/** Counts the tokens of a messages prompt: asks the provider that would serve it, else counts by itself. */
export class InputTokenCount {
  constructor(private readonly parts: InputTokensParts) {}

  /**
   * @throws GatewayError `notFound`, `noEligibleRoute`, `operationUnsupported` or `capabilityUnsupported`, as a call of the model would;
   * `overloaded` as {@link PromptCounter.count}.
   */
  async of(call: ParsedCall, caller: CountCaller): Promise<InputTokens> {
    const { organizationId, disconnected } = caller;
    const { terms: termsSource, counter } = this.parts;
    const terms = await termsSource.of(caller);
    const { catalog, tunedModels } = this.parts;
    const seen = await tunedModels.catalogFor(call.model, organizationId, catalog.current());
    const { model, attempts } = this.plan(call, terms, seen);
    // A provider refuses to count what it refuses to answer.
    const native = call.needsRewriting ? undefined : this.firstNative(attempts);
    const counted = native === undefined ? null : await this.askProvider(native, call, { ...caller, terms });
    if (native !== undefined && counted !== null) {
      return { inputTokens: counted, countedBy: native.endpoint.provider.name };
    }
    disconnected.throwIfAborted();
    const { tokenCount } = await counter.count(organizationId, call, model.contextWindow);
    return { inputTokens: tokenCount, countedBy: null };
  }

  /** Plans without parameters, headers and open circuits: none of them prevents a count. */
  private plan(
    { model: modelId, operation, accountReferences }: ParsedCall,
    terms: OrganizationTerms,
    catalog: Catalog,
  ) {
    return planRoute(
      { ...plainCall(modelId, operation), accountReferences },
      {
        ...terms,
        catalog,
        openCircuits: new Set(),
        figuresOf: () => UNMEASURED,
      },
    );
  }

  private firstNative(attempts: readonly PlannedAttempt[]): PlannedAttempt | undefined {
    const { circuits } = this.parts;
    return attempts.find(({ endpoint }) => isNative(endpoint, 'messages') && !circuits.isOpen(endpoint.id));
  }

  /** Null when the provider answered no count. */
  private async askProvider(
    attempt: PlannedAttempt,
    call: ParsedCall,
    { organizationId, terms, disconnected, trace }: CountContext,
  ): Promise<number | null> {
    const { upstream, credentialHealths } = this.parts;
    const { endpoint } = attempt;
    const { provider, upstreamModel } = endpoint;
    const member = this.memberFor(attempt, terms, organizationId);
    if (member === undefined) return null;
    const { secret } = member ?? NO_CREDENTIAL;
    const sentAtMs = credentialHealths.now();
    const ended = AbortSignal.any([disconnected, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)]);
    try {
      const body = countBody(call, upstreamModel);
      const headers = headersForEndpoint(call, endpoint, trace);
      const target = { endpoint, route: 'count_tokens' } as const;
      const answer = await upstream.call(target, secret, body, ended, headers);
      const bytes = await firstBytes(answer.body, ANSWER_BYTES_MAX);
      if (answer.status === 200) return readTokenCount(bytes);
      const answered = { endpointId: endpoint.id, sentAtMs, headers: answer.headers };
      await this.noteRefusal({ organizationId, provider, member, answered, status: answer.status });
      return null;
    } catch {
      return null;
    }
  }

  /**
   * Null where the provider takes no credential. Undefined where all rest: a count is no trial, because its success proves nothing for
   * calls. Else the same for all counts of an organization.
   */
  private memberFor(
    { endpoint, credential: source }: PlannedAttempt,
    terms: OrganizationTerms,
    organizationId: string,
  ): PoolMember | null | undefined {
    if (source === 'none') return null;
    const { credentialHealths } = this.parts;
    const { tried } = new CredentialChoices(credentialHealths, terms, organizationId).choose(
      endpoint,
      source,
    );
    return tried.find((member) => credentialHealths.isWell(member, endpoint.id));
  }

  /** Providers limit and permit counts apart from calls, so that only a credential that is refused everywhere rests. */
  private async noteRefusal({
    organizationId,
    provider,
    member,
    answered,
    status,
  }: RefusedCount): Promise<void> {
    const { authFailures, credentialHealths } = this.parts;
    const { credentialRefused, rests } = verdictOn(status);
    if (member !== null && rests === 'refused') credentialHealths.refused(member, rests, answered);
    if (!credentialRefused) return;
    await authFailures.report({ organizationId, provider, credential: member ?? NO_CREDENTIAL, status });
  }
}

interface CountContext extends CountCaller {
  readonly terms: OrganizationTerms;
}

interface RefusedCount {
  readonly organizationId: string;
  readonly provider: Provider;
  /** Null where the provider takes no credential. */
  readonly member: PoolMember | null;
  readonly answered: AnsweredCall;
  readonly status: number;
}

const verdictOn = (status: number): FailureVerdict =>
  classifyFailure({ kind: 'status', status, providerMessage: null, retryAfterMs: null });
