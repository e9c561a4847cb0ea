import { type Operation } from '@svc/protocol';

import { type Prices } from '../pricing/prices';

/** What a provider speaks. */
export type ProviderProtocol = 'openai' | 'anthropic';

/** What the gateway can forward to: the catalog file (contract.md section 6), validated and resolved. */
export interface Catalog {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly models: ReadonlyMap<string, Model>;
}

export interface Provider {
  readonly name: string;
  readonly protocol: ProviderProtocol;
  /** Without a trailing slash: calls go to `{baseUrl}/chat/completions` or `{baseUrl}/messages`. */
  readonly baseUrl: string;
  /** Variable that holds the platform's credential; null when the provider takes none. */
  readonly credentialEnv: string | null;
}

export interface Model {
  /** `<creator>/<model>` */
  readonly id: string;
  readonly displayName: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** 0 when the file does not say. */
  readonly createdAtSeconds: number;
  /** In the order of the file. */
  readonly endpoints: readonly ModelEndpoint[];
}

/** One model at one provider in one region: what a plan chooses and falls back between. */
export interface ModelEndpoint {
  /** `model|provider|region|upstream_model`: the same over reloads, as circuits hang on it. */
  readonly id: string;
  readonly modelId: string;
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly region: string;
  readonly dataRetention: 'zero' | 'retained';
  readonly operations: ReadonlySet<Operation>;
  /** Body fields it takes; null for all of the route. */
  readonly parameters: ReadonlySet<string> | null;
  readonly prices: Prices;
  readonly timeouts: { readonly firstByteMs: number; readonly idleMs: number };
}
