import { type Catalog } from '@svc/catalog';
import {
  classifyFailure,
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
import { type Circuits } from '../dispatch/circuits';
import { headersForEndpoint } from '../dispatch/call-headers';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';
import { type PolicyCaller } from '../policy/policies';
import { type TunedModels } from '../policy/tuned-models';
import { firstBytes } from '../providers/first-bytes';
import { type UpstreamAnswer } from '../providers/upstream-call';
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
    { endpoint, credential: source }: PlannedAttempt,
    call: ParsedCall,
    { organizationId, terms, disconnected, trace }: CountContext,
  ): Promise<number | null> {
    const { upstream, authFailures } = this.parts;
    const { provider, upstreamModel } = endpoint;
    const credential = terms.credentialFor(provider, source);
    const ended = AbortSignal.any([disconnected, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)]);
    try {
      const body = countBody(call, upstreamModel);
      const headers = headersForEndpoint(call, endpoint, trace);
      const target = { endpoint, route: 'count_tokens' } as const;
      const answer = await upstream.call(target, credential.secret, body, ended, headers);
      const bytes = await firstBytes(answer.body, ANSWER_BYTES_MAX);
      if (answer.status === 200) return readTokenCount(bytes);
      if (isCredentialRefused(answer)) {
        await authFailures.report({ organizationId, provider, credential, status: answer.status });
      }
      return null;
    } catch {
      return null;
    }
  }
}

interface CountContext extends CountCaller {
  readonly terms: OrganizationTerms;
}

const isCredentialRefused = ({ status }: UpstreamAnswer): boolean =>
  classifyFailure({ kind: 'status', status, providerMessage: null, retryAfterMs: null }).credentialRefused;
