import { shippedCatalog, testPrices, type CatalogDocument } from '../harness/catalog-file';
import { openLedgerAudit, type LedgerAudit } from '../harness/ledger-audit';
import { startSvc, type Svc } from '../harness/svc-process';
import { type Simulator } from '../harness/simulator-process';
import { type Protocol } from './feature-names';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy';
import { startStrictRecorder, type StrictRecorder } from './strict/strict-recorder';
import { compatibleVendors, modelOfVendor, type VendorName } from './strict/vendors/vendors';
import { type RunningUpstream } from './running-upstream';
import { simulatorUpstream, type RunningSimulator, type UpstreamUnderTest } from './upstreams';

/** One service whose every upstream stands behind the strict recorder, and whose clients speak through a proxy. */
export interface MatrixWorld {
  readonly svc: Svc;
  readonly audit: LedgerAudit;
  /** The proxy that the clients call. */
  readonly proxy: RecordingProxy;
  readonly recorder: StrictRecorder;
  readonly simulator: Simulator;
  upstream(under: UpstreamUnderTest): RunningUpstream;
  stop(): Promise<void>;
}

/** A model that only one upstream serves, in this protocol, as a provider of this vendor. */
export const modelOf = ({ name }: UpstreamUnderTest, protocol: Protocol, vendor = usualVendors[protocol]) =>
  `${name}/${vendor === usualVendors[protocol] ? protocol : protocol === 'openai' ? vendor : `${vendor}-${protocol}`}`;

const usualVendors: Readonly<Record<Protocol, VendorName>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  responses: 'openai',
  embeddings: 'openai',
};

/** The vendors that an upstream of a protocol plays, the usual one first. */
const vendorsOf = (protocol: Protocol): readonly VendorName[] => [
  usualVendors[protocol],
  ...(protocol === 'openai' ? compatibleVendors : []),
  ...(protocol === 'embeddings' ? (['mistral'] as const) : []),
];

interface Served {
  readonly under: UpstreamUnderTest;
  readonly protocol: Protocol;
  readonly vendor: VendorName;
  readonly name: string;
}

export async function startMatrixWorld(upstreams: readonly UpstreamUnderTest[]): Promise<MatrixWorld> {
  const running = new Map(
    await Promise.all(upstreams.map(async (under) => [under, await under.start()] as const)),
  );
  const upstream = (under: UpstreamUnderTest) => {
    const found = running.get(under);
    if (found === undefined) throw new Error(`${under.name} was not started.`);
    return found;
  };
  const served = upstreams.flatMap((under) =>
    under.protocols.flatMap((protocol) =>
      vendorsOf(protocol).map((vendor): Served => ({
        under,
        protocol,
        vendor,
        name: modelOf(under, protocol, vendor).replace('/', '-'),
      })),
    ),
  );
  const recorder = await startStrictRecorder(
    Object.fromEntries(
      served.map(({ under, protocol, vendor, name }) => [
        name,
        { protocol, vendor, url: upstream(under).url },
      ]),
    ),
  );
  const svc = await startSvc({
    catalog: catalogOf(served, recorder),
    env: { RECORDER_CREDENTIAL: 'sk-of-the-recorder' },
  });
  const audit = await openLedgerAudit(svc);
  await audit.raiseKeyLimits();
  const proxy = await startRecordingProxy(svc.baseUrl);
  return {
    svc,
    audit,
    proxy,
    recorder,
    simulator: (upstream(simulatorUpstream) as RunningSimulator).simulator,
    upstream,
    stop: async () => {
      await proxy.close();
      await audit.close();
      await svc.stop();
      await recorder.close();
      await Promise.all([...running.values()].map((one) => one.stop()));
    },
  };
}

/** Each upstream as a provider of the shipped catalog, so that what the catalog says of the provider is tried. */
function catalogOf(served: readonly Served[], recorder: StrictRecorder): CatalogDocument {
  const shipped = shippedCatalog();
  return {
    providers: served.map(({ name, vendor }) => {
      const { base_url: _url, credential_env: _variable, ...own } = named(vendor, shipped);
      return {
        ...own,
        name,
        base_url: `${recorder.urlOf(name)}/v1`,
        credential_env: 'RECORDER_CREDENTIAL',
      };
    }),
    models: served.map(({ under, protocol, vendor, name }) => ({
      id: modelOf(under, protocol, vendor),
      display_name: name,
      context_window: 200_000,
      max_output_tokens: 8192,
    })),
    endpoints: served.map(({ under, protocol, vendor, name }) => ({
      model: modelOf(under, protocol, vendor),
      provider: name,
      upstream_model: name,
      region: 'local',
      data_retention: 'zero',
      prices: testPrices,
      ...takenBy(vendor, protocol, shipped),
      ...(protocol === 'responses' || protocol === 'embeddings' ? { operations: [protocol] } : {}),
      ...(under.estimatesUsage ? { usage: 'estimated' as const } : {}),
    })),
  };
}

function named(vendor: VendorName, { providers }: CatalogDocument): CatalogDocument['providers'][number] {
  const provider = providers.find(({ name }) => name === vendor);
  if (provider === undefined) throw new Error(`The shipped catalog has no provider ${vendor}.`);
  return provider;
}

type Taken = Pick<
  CatalogDocument['endpoints'][number],
  'takes' | 'takes_one_of' | 'parameters' | 'text_input_only'
>;

function takenBy(vendor: VendorName, protocol: Protocol, { endpoints }: CatalogDocument): Taken {
  if (vendor === 'openai' || vendor === 'anthropic') return {};
  const endpoint = endpoints.find(({ model, provider, operations = [] }) =>
    protocol === 'embeddings'
      ? provider === vendor && operations.includes('embeddings')
      : provider === vendor && model === modelOfVendor[vendor],
  );
  if (endpoint === undefined) throw new Error(`The shipped catalog has no ${protocol} at ${vendor}.`);
  const { takes, takes_one_of, parameters, text_input_only } = endpoint;
  return {
    ...(takes && { takes }),
    ...(takes_one_of && { takes_one_of }),
    ...(parameters && { parameters }),
    ...(text_input_only && { text_input_only }),
  };
}
