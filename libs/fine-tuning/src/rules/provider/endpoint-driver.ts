export interface NewProviderEndpoint {
  /** Carries our id of the run, by which {@link EndpointDriver.find} finds it after a kill. */
  readonly name: string;
  /** The provider's name of the tuned model. */
  readonly model: string;
  /** The id of the hardware in the catalog. */
  readonly hardware: string;
  /** After how many minutes without calls the provider stops it by itself. */
  readonly idleTimeoutMinutes: number;
}

/** A dedicated endpoint as it is at the provider now. */
export interface ProviderEndpoint {
  /** The provider's id. */
  readonly id: string;
  readonly state: 'pending' | 'started' | 'stopping' | 'stopped' | 'error';
  /** Since when it serves in this run; null where it does not, or the provider does not say. */
  readonly servingSince: Date | null;
  /** When it stopped serving; null while it serves, or where the provider does not say. */
  readonly servedUntil: Date | null;
  /** After how many minutes without calls it stops by itself; null for never, or where the provider does not say. */
  readonly idleTimeoutMinutes: number | null;
  /** The name of the model in calls that reach it. */
  readonly inferenceModel: string;
}

/**
 * Machines of a provider that serve one tuned model, as Together's dedicated endpoints have it. Each question has a
 * bound in time. Each throws `ProviderUnreachable` where it is not known what the provider did, and `ProviderRefusal`
 * where it refused.
 */
export interface EndpointDriver {
  /** Makes and starts one. */
  create(endpoint: NewProviderEndpoint): Promise<ProviderEndpoint>;
  /** @returns the endpoint of that name; null for none. */
  find(name: string): Promise<ProviderEndpoint | null>;
  /** @returns null where the provider does not know it. */
  state(id: string): Promise<ProviderEndpoint | null>;
  /** Changes when it stops by itself, of a run that goes on. @returns null where the provider does not know it. */
  changeIdleTimeout(id: string, minutes: number): Promise<ProviderEndpoint | null>;
  /** One that is stopped stays so. @returns null where the provider does not know it. */
  stop(id: string): Promise<ProviderEndpoint | null>;
  /** Ends it for good. One that is gone stays so. */
  remove(id: string): Promise<void>;
}
