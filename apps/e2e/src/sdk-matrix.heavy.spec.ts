import { readFileSync, writeFileSync } from 'node:fs';
import { nodeClientsOfThisRun, pythonOfThisRun, writesPages } from './harness/config';
import { clients } from './matrix/clients';
import { embeddingClients } from './matrix/embeddings/embedding-clients';
import { embeddingFeatures, expectEmbeddings } from './matrix/embeddings/embedding-features';
import { type FeatureName } from './matrix/feature-names';
import { features } from './matrix/features';
import { lackOf, protocolsFor, type ClientUnderTest } from './matrix/matrix-client';
import { matrixPage, matrixPageFile } from './matrix/matrix-page';
import { startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { stopPythonClients } from './matrix/python/python-client';
import { compatibleVendors, type VendorName } from './matrix/strict/vendors/vendors';
import { upstreams } from './matrix/upstreams';

const hasPython = pythonOfThisRun !== null;
const hasApart = nodeClientsOfThisRun !== null;
const upstreamsOfThisRun = upstreams.filter(({ needsPython }) => !needsPython || hasPython);
const isOfThisRun = ({ language, isApart }: Pick<ClientUnderTest, 'language' | 'isApart'>) =>
  language === 'Python' ? hasPython : isApart !== true || hasApart;
const pairs = clients.filter(isOfThisRun).flatMap((under) =>
  upstreamsOfThisRun.flatMap((upstream) =>
    protocolsFor(under, upstream).map((protocol) => ({
      under,
      upstream,
      protocol,
      client: `${under.name}, ${under.language}`,
      over: upstream.name,
      lackOf: (feature: FeatureName) => lackOf(under, { upstream: upstream.name, protocol }, feature),
    })),
  ),
);

/** Features that differ in the body from one vendor of chat completions to the other. */
const VENDOR_FEATURES: readonly FeatureName[] = [
  'plain',
  'stream',
  'tools',
  'toolsStreamed',
  'schema',
  'image',
];
/** Clients that ask for a schema by a tool that the model must call. */
const FORCING_A_TOOL: readonly string[] = ['AI SDK Anthropic', 'LiteLLM Anthropic'];

/** True where a vendor cannot give what a client asks for, so that the answer has another form. */
function isImpossible(vendor: VendorName, { name, lacks }: ClientUnderTest, feature: FeatureName): boolean {
  // DeepSeek answers with JSON, but of no schema. A client without plain answers always asks for one.
  if (vendor === 'deepseek') return feature === 'schema' || lacks?.plain !== undefined;
  // Kimi K2.6 cannot be made to call a tool while it thinks.
  return vendor === 'moonshotai' && feature === 'schema' && FORCING_A_TOOL.includes(name);
}

const vendorPairs = pairs
  .filter(({ protocol }) => protocol === 'openai')
  .flatMap((pair) =>
    compatibleVendors.map((vendor) => ({
      ...pair,
      vendor,
      features: pair.upstream.features.filter(
        (feature) =>
          VENDOR_FEATURES.includes(feature) &&
          !isImpossible(vendor, pair.under, feature) &&
          pair.lackOf(feature) === null,
      ),
    })),
  )
  .filter(({ features: tried }) => tried.length > 0);

const embeddingPairs = embeddingClients.filter(isOfThisRun).flatMap((under) =>
  upstreamsOfThisRun
    .filter(({ protocols }) => protocols.includes('embeddings'))
    .map((upstream) => ({
      under,
      upstream,
      client: `${under.name} embeddings, ${under.language}`,
      over: upstream.name,
      isFailing: under.failsOver?.upstream === upstream.name,
    })),
);

describe('the clients', () => {
  let world: MatrixWorld;
  const worked = new Set<string>();

  beforeAll(async () => {
    // Silences the AI SDK's warnings about unknown models.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    world = await startMatrixWorld(upstreamsOfThisRun);
  });
  afterAll(async () => {
    await stopPythonClients();
    await world.stop();
  });

  describe.each(pairs)('$client over $over in the protocol of $protocol:', (pair) => {
    const { under, upstream, protocol, client, over } = pair;
    const tried = async (feature: FeatureName) => {
      world.recorder.refusals.length = 0;
      const connected = under.connect({ baseUrl: world.proxy.url, apiKey: world.svc.apiKey });
      await features[feature]({ world, under, upstream, protocol, client: connected });
      expect(world.recorder.refusals).toEqual([]);
      worked.add([client, over, protocol, feature].join());
    };
    it.each(upstream.features.filter((feature) => pair.lackOf(feature) === null))('%s', tried);

    const failing = upstream.features.filter((feature) => pair.lackOf(feature)?.isTried === true);
    if (failing.length > 0) it.failing.each(failing)('%s: does not work', tried);
  });

  describe.each(vendorPairs)('$client over $over as a provider with the rules of $vendor:', (pair) => {
    const { under, upstream, protocol, vendor } = pair;
    it.each(pair.features)('%s', async (feature) => {
      world.recorder.refusals.length = 0;
      const client = under.connect({ baseUrl: world.proxy.url, apiKey: world.svc.apiKey });
      await features[feature]({ world, under, upstream, protocol, vendor, client });
      expect(world.recorder.refusals).toEqual([]);
    });
  });

  describe.each(embeddingPairs)('$client over $over in the protocol of embeddings:', (pair) => {
    const { under, upstream, client, over, isFailing } = pair;
    const title = isFailing ? '%s: does not work' : '%s';
    (isFailing ? it.failing : it).each(embeddingFeatures)(title, async (feature) => {
      world.recorder.refusals.length = 0;
      const embed = under.connect({ baseUrl: world.proxy.url, apiKey: world.svc.apiKey });
      await expectEmbeddings(world, upstream, embed, feature);
      expect(world.recorder.refusals).toEqual([]);
      worked.add([client, over, 'embeddings', feature].join());
    });
  });

  it('have in docs/clients.md the marks of what was seen here', () => {
    const marked = [
      ...pairs.flatMap((pair) =>
        pair.upstream.features
          .filter((feature) => pair.lackOf(feature) === null)
          .map((feature) => [pair.client, pair.over, pair.protocol, feature].join()),
      ),
      ...embeddingPairs.flatMap(({ client, over, isFailing }) =>
        (isFailing ? [] : embeddingFeatures).map((feature) => [client, over, 'embeddings', feature].join()),
      ),
    ];
    expect(marked.filter((cell) => !worked.has(cell))).toEqual([]);

    const page = matrixPage(clients, embeddingClients);
    if (writesPages && hasPython && hasApart) writeFileSync(matrixPageFile, page);
    expect(readFileSync(matrixPageFile, 'utf8')).toBe(page);
  });
});
