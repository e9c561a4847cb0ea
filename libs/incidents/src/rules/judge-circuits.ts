import { type Catalog, type ModelEndpoint, type Provider } from '@svc/catalog';
import { type IncidentSeverity } from './incident';

/** The circuit of a model endpoint over all edges (docs/reference/models-and-catalog.md#circuits). */
export interface EndpointCircuit {
  readonly endpointId: string;
  readonly provider: string;
  /** `unknown` without a plan in the last minutes, which is not open. */
  readonly state: 'open' | 'closed' | 'unknown';
  /** Null unless open. */
  readonly openSince: Date | null;
}

/** The subject of an automatic incident. */
export interface IncidentSubject {
  readonly kind: 'model' | 'provider';
  readonly name: string;
}

/** A model or provider of which every endpoint is open. */
export interface OpenSubject extends IncidentSubject {
  readonly severity: IncidentSeverity;
  /** When the last of its endpoints opened. */
  readonly openSince: Date;
  /** A model's: the providers of its endpoints, which explain it while each of them is open itself. */
  readonly providers: readonly string[];
}

/**
 * The models and providers that are open as a whole (docs/reference/incidents.md#automatic-incidents).
 * @param hasPlatformCredential whether this process knows of a credential of the platform. A provider that an edge has
 * planned with has one, too.
 */
export function judgeCircuits(
  { models, providers }: Catalog,
  circuits: readonly EndpointCircuit[],
  hasPlatformCredential: (provider: Provider) => boolean,
): readonly OpenSubject[] {
  const circuitOf = new Map(circuits.map((circuit) => [circuit.endpointId, circuit]));
  const planned = new Set(circuits.map(({ provider }) => provider));
  const isUsable = ({ provider }: ModelEndpoint) =>
    provider.credentialEnv === null || planned.has(provider.name) || hasPlatformCredential(provider);
  const usable = [...models.values()].map(({ id, endpoints }) => ({
    id,
    endpoints: endpoints.filter(isUsable),
  }));
  const isOpen = ({ id }: ModelEndpoint) => circuitOf.get(id)?.state === 'open';
  const isCalled = ({ id }: ModelEndpoint) => (circuitOf.get(id)?.state ?? 'unknown') !== 'unknown';
  const openSince = (endpoints: readonly ModelEndpoint[]) =>
    new Date(Math.max(...endpoints.map(({ id }) => circuitOf.get(id)?.openSince?.getTime() ?? 0)));

  const openModels = usable
    .filter(({ endpoints }) => endpoints.length > 0 && endpoints.every(isOpen))
    .map(({ id, endpoints }): OpenSubject => ({
      kind: 'model',
      name: id,
      severity: 'major',
      openSince: openSince(endpoints),
      providers: [...new Set(endpoints.map(({ provider }) => provider.name))],
    }));

  const openProviders = [...providers.keys()].flatMap((name): OpenSubject[] => {
    const isOfProvider = ({ provider }: ModelEndpoint) => provider.name === name;
    const called = usable.flatMap(({ endpoints }) => endpoints.filter(isOfProvider).filter(isCalled));
    if (called.length === 0 || !called.every(isOpen)) return [];
    const calledModels = new Set(called.map(({ modelId }) => modelId));
    const hasAnother = usable
      .filter(({ id }) => calledModels.has(id))
      .every(({ endpoints }) => endpoints.some((each) => !isOfProvider(each) && !isOpen(each)));
    const severity = hasAnother ? 'minor' : 'major';
    return [{ kind: 'provider', name, severity, openSince: openSince(called), providers: [name] }];
  });
  return [...openProviders, ...openModels];
}
