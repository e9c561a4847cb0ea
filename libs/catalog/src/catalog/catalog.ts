import { type Nanos } from '@svc/kernel';
import { type ChatForm, type Operation, type TakenValues } from '@svc/protocol';

import { type PricePerToken, type Prices } from '../pricing/prices';
import { type EnvCredential } from './env-credentials';
import { type ConnectionSettings } from './provider-connection';

/** The protocol of a provider's API. */
export type ProviderProtocol = 'openai' | 'anthropic';

/** The validated and resolved catalog files (docs/reference/models-and-catalog.md#the-catalog-file). */
export interface Catalog {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly models: ReadonlyMap<string, Model>;
  /** Ids of models by their aliases. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Parameters that any endpoint takes beyond the fields of its route. */
  readonly extraParameters: ReadonlySet<string>;
  /** Which models can be trained, and where. In the order of the files. */
  readonly fineTuning: readonly FineTuningOffer[];
}

/** The model with this id or alias (docs/reference/models-and-catalog.md#aliases). */
export const modelNamed = ({ models, aliases }: Catalog, name: string): Model | undefined =>
  models.get(name) ?? models.get(aliases.get(name) ?? '');

export interface Provider {
  readonly name: string;
  readonly protocol: ProviderProtocol;
  /** Without a trailing slash: calls go to paths below it, such as `{baseUrl}/chat/completions`. */
  readonly baseUrl: string;
  /** The variables that hold the platform's credentials, at least one. Null when the provider takes none. */
  readonly credentialEnv: readonly EnvCredential[] | null;
  /** Fields of a chat message in which it takes reasoning back. Absent for the usual ones. */
  readonly reasoningFields?: readonly string[];
  /** The form of chat messages that it takes. Absent for the form of OpenAI. */
  readonly chatForm?: ChatForm;
  /** Absent when the provider needs only the defaults of its protocol. */
  readonly connection?: ConnectionSettings;
}

export interface Model {
  /** `<creator>/<model>` */
  readonly id: string;
  /** In the order of the files. */
  readonly aliases: readonly string[];
  readonly displayName: string;
  readonly contextWindow: number;
  /** 0 for a model that generates no text. */
  readonly maxOutputTokens: number;
  /** 0 when the file has no date. */
  readonly createdAtSeconds: number;
  /** In the order of the file. */
  readonly endpoints: readonly ModelEndpoint[];
  /** The base model of one that an organization had trained, by its id. Absent for a model of the catalog. */
  readonly tunedFrom?: string;
}

/** A base model that one provider trains in one region (docs/reference/models-and-catalog.md#fine-tuning). */
export interface FineTuningOffer {
  /** The base model. */
  readonly modelId: string;
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly region: string;
  readonly dataRetention: 'zero' | 'retained';
  readonly pricePerTrainedToken: PricePerToken;
  readonly maxTrainedTokens: number;
  readonly epochs: { readonly default: number; readonly max: number };
  /** Prices of the result where it is served without an endpoint of its own. Null where it is not. */
  readonly inference: Prices | null;
  /** Machines that serve the result alone. */
  readonly hardware: readonly Hardware[];
}

interface Hardware {
  readonly id: string;
  readonly pricePerHour: Nanos;
  readonly startTimeoutMs: number;
}

/** Terms in place of an endpoint's own, for a call that names the beta. */
export interface BetaTerms {
  readonly prices: Prices;
  /** Null for the model's own. */
  readonly contextWindow: number | null;
}

/** One model at one provider in one region. Plans choose and fall back between endpoints. */
export interface ModelEndpoint {
  /** `model|provider|region|upstream_model`. Stable over reloads, because circuits are keyed by it. */
  readonly id: string;
  readonly modelId: string;
  /** As of its model. */
  readonly tunedFrom?: string;
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly region: string;
  readonly dataRetention: 'zero' | 'retained';
  readonly operations: ReadonlySet<Operation>;
  /** Supported body fields. Null for all fields of the route. */
  readonly parameters: ReadonlySet<string> | null;
  /** The values that it takes of some parameters. Absent for any value of all. */
  readonly takes?: TakenValues;
  /** True where embeddings are made of texts alone. Absent where it takes tokens too. */
  readonly textInputOnly?: true;
  /** Body fields that it takes beyond those of the route. Absent for none. */
  readonly extraParameters?: ReadonlySet<string>;
  /** Tools of the responses protocol that it may be asked to run itself. Absent for none. */
  readonly builtInTools?: ReadonlySet<string>;
  /** True where an answer without a usage report is charged by the gateway's own count (docs/reference/money.md#estimated-usage). */
  readonly usage: 'reported' | 'estimated';
  readonly prices: Prices;
  /** By the names of Anthropic's betas. Absent for none. */
  readonly betas?: ReadonlyMap<string, BetaTerms>;
  readonly timeouts: { readonly firstByteMs: number; readonly idleMs: number };
  /** Whose credential alone reaches it: a tuned model is its maker's at the provider. Absent where any does. */
  readonly credential?: 'own' | 'platform';
  /** Which of the organization's own: the one that trained the model. Absent for the platform's. */
  readonly credentialId?: string;
}
