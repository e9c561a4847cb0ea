import { startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { describeEveryCase } from './matrix/strict/every-case';
import { compatibleVendors } from './matrix/strict/vendors/vendors';
import { simulatorUpstream } from './matrix/upstreams';

describe('an upstream that is compatible with OpenAI, and as strict as its vendor', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    world = await startMatrixWorld([simulatorUpstream]);
  });
  afterAll(() => world.stop());

  describeEveryCase(
    compatibleVendors.map((vendor) => ['openai', vendor] as const),
    () => world,
  );
});
