import { testPrices, type CatalogDocument } from '../harness/catalog-file';
import { openLedgerAudit, type LedgerAudit } from '../harness/ledger-audit';
import { startSvc, type Svc } from '../harness/svc-process';
import { type Simulator } from '../harness/simulator-process';
import { type Protocol } from './feature-names';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy';
import { startStrictRecorder, type StrictRecorder } from './strict/strict-recorder';
import { type RunningUpstream } from './running-upstream';
import { simulatorUpstream, type RunningSimulator, type UpstreamUnderTest } from './upstreams';

/** One service whose every upstream stands behind the strict recorder, and whose clients speak through a proxy. */
export interface MatrixWorld {
  readonly svc: Svc;
  readonly audit: LedgerAudit;
  /** What the clients call. */
  readonly proxy: RecordingProxy;
  readonly recorder: StrictRecorder;
  readonly simulator: Simulator;
  upstream(under: UpstreamUnderTest): RunningUpstream;
  stop(): Promise<void>;
}

/** A model that only one upstream serves, in this protocol. */
export const modelOf = ({ name }: UpstreamUnderTest, protocol: Protocol) => `${name}/${protocol}`;

interface Served {
  readonly under: UpstreamUnderTest;
  readonly protocol: Protocol;
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
    under.protocols.map((protocol): Served => ({ under, protocol, name: `${under.name}-${protocol}` })),
  );
  const recorder = await startStrictRecorder(
    Object.fromEntries(
      served.map(({ under, protocol, name }) => [name, { protocol, url: upstream(under).url }]),
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

function catalogOf(served: readonly Served[], recorder: StrictRecorder): CatalogDocument {
  return {
    providers: served.map(({ name, protocol }) => ({
      name,
      protocol: protocol === 'anthropic' ? ('anthropic' as const) : ('openai' as const),
      base_url: `${recorder.urlOf(name)}/v1`,
      credential_env: 'RECORDER_CREDENTIAL',
      // The recorder refuses it, as OpenAI does.
      ...(protocol === 'openai' && { reasoning_fields: [] }),
    })),
    models: served.map(({ under, protocol, name }) => ({
      id: modelOf(under, protocol),
      display_name: name,
      context_window: 200_000,
      max_output_tokens: 8192,
    })),
    endpoints: served.map(({ under, protocol, name }) => ({
      model: modelOf(under, protocol),
      provider: name,
      upstream_model: name,
      region: 'local',
      data_retention: 'zero',
      prices: testPrices,
      ...(protocol === 'responses' || protocol === 'embeddings' ? { operations: [protocol] } : {}),
      ...(under.estimatesUsage ? { usage: 'estimated' as const } : {}),
    })),
  };
}
