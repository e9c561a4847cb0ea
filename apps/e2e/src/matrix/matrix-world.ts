import { LLMock } from '@copilotkit/aimock';
import { testPrices, type CatalogDocument } from '../harness/catalog-file';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';

export type Protocol = 'openai' | 'anthropic';

/** One service over a simulator, and over a third-party upstream that answers each prompt as scripted. */
export interface MatrixWorld {
  readonly svc: Svc;
  readonly simulator: Simulator;
  readonly foreign: LLMock;
  stop(): Promise<void>;
}

/** A model that only one upstream serves, in this protocol. It can be called on both routes. */
export const modelOf = (upstream: 'simulator' | 'foreign', protocol: Protocol) => `${upstream}/${protocol}`;

export async function startMatrixWorld(): Promise<MatrixWorld> {
  const simulator = await startSimulator();
  const foreign = new LLMock({ port: 0, logLevel: 'silent' });
  const foreignUrl = await foreign.start();
  const svc = await startSvc({ catalog: catalogOf({ simulator: simulator.url, foreign: foreignUrl }) });
  return {
    svc,
    simulator,
    foreign,
    stop: async () => {
      await svc.stop();
      await foreign.stop();
      await simulator.stop();
    },
  };
}

function catalogOf(urls: Record<'simulator' | 'foreign', string>): CatalogDocument {
  const served = (['simulator', 'foreign'] as const).flatMap((upstream) =>
    (['openai', 'anthropic'] as const).map((protocol) => ({ upstream, protocol })),
  );
  return {
    providers: served.map(({ upstream, protocol }) => ({
      name: `${upstream}-${protocol}`,
      protocol,
      base_url: `${urls[upstream]}/v1`,
    })),
    models: served.map(({ upstream, protocol }) => ({
      id: modelOf(upstream, protocol),
      display_name: `${upstream} in ${protocol}`,
      context_window: 200_000,
      max_output_tokens: 8192,
    })),
    endpoints: served.map(({ upstream, protocol }) => ({
      model: modelOf(upstream, protocol),
      provider: `${upstream}-${protocol}`,
      upstream_model: `${upstream}-${protocol}`,
      region: 'local',
      data_retention: 'zero',
      prices: testPrices,
    })),
  };
}
