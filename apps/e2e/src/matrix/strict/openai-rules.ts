import { chatProblem } from './openai-chat';
import { embeddingProblem } from './openai-embeddings';
import { responseProblem } from './openai-responses';
import {
  firstFault,
  refusal,
  type Body,
  type Refusal,
  type VendorCall,
  type VendorRules,
} from './vendor-rules';
import { VendorTypes, type Fault } from './vendor-types';

/** A route of OpenAI's API: its SDK's types, and what they don't say. */
interface Route {
  readonly file: string;
  readonly type: string;
  readonly problemOf: (body: Body) => string | null;
  /** True where the API takes what the types fault. */
  readonly takes?: (fault: Fault) => boolean;
  /** Members that the types want, and without which the API takes a call. */
  readonly optional?: readonly string[];
}

const ROUTES: Readonly<Record<string, Route>> = {
  '/chat/completions': {
    file: 'openai/resources/chat/completions/completions.d.ts',
    type: 'ChatCompletionCreateParams',
    problemOf: chatProblem,
  },
  '/responses': {
    file: 'openai/resources/responses/responses.d.ts',
    type: 'ResponseCreateParams',
    problemOf: responseProblem,
    takes: isOfCodex,
    optional: ['annotations', 'detail', 'id', 'logprobs', 'status', 'strict'],
  },
  '/embeddings': {
    file: 'openai/resources/embeddings.d.ts',
    type: 'EmbeddingCreateParams',
    problemOf: embeddingProblem,
  },
};

/** Fields that Codex sends to OpenAI besides: an id of every message, and reasoning whose content is null. */
function isOfCodex({ path, problem, given }: Fault): boolean {
  const name = path.at(-1);
  if (problem === 'unknown') return name === 'client_metadata' || name === 'id';
  return name === 'content' && given === null;
}

/** OpenAI's API, as far as Svc calls it. */
export class OpenAiRules implements VendorRules {
  private readonly types = new Map<string, VendorTypes>();

  refuse({ path, headers, body }: VendorCall): Refusal | null {
    const route = ROUTES[path];
    if (route === undefined) return refusal(`Invalid URL (POST /v1${path})`, 404);
    if (!/^Bearer \S+$/.test(String(headers.authorization)))
      return refusal("You didn't provide an API key.", 401);
    const faults = this.typesOf(route).faultsOf(body, route.type);
    const fault = firstFault(faults.filter((each) => route.takes?.(each) !== true));
    const message = fault ? messageOf(fault) : route.problemOf(body);
    return message === null ? null : refusal(message);
  }

  errorBody({ message }: Refusal): object {
    return { error: { message, type: 'invalid_request_error', param: null, code: null } };
  }

  /** Read when they are needed: it takes a second. */
  private typesOf({ file, optional }: Route): VendorTypes {
    const types = this.types.get(file) ?? new VendorTypes(file, optional);
    this.types.set(file, types);
    return types;
  }
}

function messageOf({ path, problem, expected, given }: Fault): string {
  const name = path.reduce<string>(
    (all, step) => (typeof step === 'number' ? `${all}[${String(step)}]` : `${all}${all && '.'}${step}`),
    '',
  );
  if (problem === 'missing') return `Missing required parameter: '${name}'.`;
  if (problem === 'unknown')
    return path.length === 1
      ? `Unrecognized request argument supplied: ${name}`
      : `Unknown parameter: '${name}'.`;
  if (problem === 'value')
    return `Invalid value: '${String(given)}'. Supported values are: ${expected.join(', ')}.`;
  return `Invalid type for '${name}': expected one of ${expected.join(' or ')}, but got ${typeof given} instead.`;
}
