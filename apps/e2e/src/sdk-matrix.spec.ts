import { readFileSync, writeFileSync } from 'node:fs';
import { pythonOfThisRun, writesPages } from './harness/config';
import { clients } from './matrix/clients';
import { type FeatureName } from './matrix/feature-names';
import { features } from './matrix/features';
import { lackOf } from './matrix/matrix-client';
import { matrixPage, matrixPageFile } from './matrix/matrix-page';
import { startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { stopPythonClients } from './matrix/python/python-client';
import { upstreams } from './matrix/upstreams';

const hasPython = pythonOfThisRun !== null;
const upstreamsOfThisRun = upstreams.filter(({ needsPython }) => !needsPython || hasPython);
const pairs = clients
  .filter(({ language }) => language === 'Node.js' || hasPython)
  .flatMap((under) =>
    upstreamsOfThisRun.flatMap((upstream) =>
      upstream.protocols.map((protocol) => ({
        under,
        upstream,
        protocol,
        client: `${under.name}, ${under.language}`,
        over: upstream.name,
        lackOf: (feature: FeatureName) => lackOf(under, { upstream: upstream.name, protocol }, feature),
      })),
    ),
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

  it('have in docs/clients.md the marks of what was seen here', () => {
    const marked = pairs.flatMap((pair) =>
      pair.upstream.features
        .filter((feature) => pair.lackOf(feature) === null)
        .map((feature) => [pair.client, pair.over, pair.protocol, feature].join()),
    );
    expect(marked.filter((cell) => !worked.has(cell))).toEqual([]);

    const page = matrixPage(clients);
    if (writesPages && hasPython) writeFileSync(matrixPageFile, page);
    expect(readFileSync(matrixPageFile, 'utf8')).toBe(page);
  });
});
