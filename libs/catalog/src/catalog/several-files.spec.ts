import { modelNamed } from './catalog';
import { CatalogError } from './catalog-source';
import { parseCatalogFiles } from './parse-catalog';

const first = `
providers:
  - { name: acme, protocol: openai, base_url: https://acme.example }
models:
  - { id: acme/small, display_name: Small, context_window: 10, max_output_tokens: 5 }
endpoints:
  - { model: acme/small, provider: acme, upstream_model: s, region: eu, data_retention: zero, prices: { input: 1, output: 2 } }
aliases:
  fast: acme/small
`;

const read = (...texts: string[]) =>
  parseCatalogFiles(
    texts.map((text, at) => ({ file: `${String(at + 1)}.yaml`, text })),
    {},
  );
const problemsOf = (...texts: string[]): readonly string[] => {
  try {
    read(...texts);
  } catch (error) {
    if (error instanceof CatalogError) return error.problems;
    throw error;
  }
  return [];
};

describe('several catalog files', () => {
  it('form one catalog, whichever file has an endpoint’s provider and model', () => {
    const { providers, models, aliases } = read(
      first,
      `
providers:
  - { name: own, protocol: openai, base_url: http://own.example }
endpoints:
  - { model: acme/small, provider: own, upstream_model: s, region: here, data_retention: zero, prices: { input: 1, output: 2 } }
`,
      'aliases: { default: acme/small }',
    );
    expect([...providers.keys()]).toEqual(['acme', 'own']);
    const model = models.get('acme/small');
    expect(model?.endpoints.map(({ provider }) => provider.name)).toEqual(['acme', 'own']);
    expect(model?.aliases).toEqual(['fast', 'default']);
    expect([...aliases.keys()]).toEqual(['fast', 'default']);
  });

  it('are both named when an entry is listed twice', () => {
    expect(problemsOf(first, first)).toEqual([
      '2.yaml:3: providers[0]: acme is listed twice, also in 1.yaml',
      '2.yaml:5: models[0]: acme/small is listed twice, also in 1.yaml',
      '2.yaml:7: endpoints[0]: acme/small|acme|eu|s is listed twice, also in 1.yaml',
      '2.yaml:9: aliases.fast: is listed twice, also in 1.yaml',
    ]);
  });

  it('have their problems reported under their own names', () => {
    expect(problemsOf(`${first}extra: 1\n`, 'models: 5')).toEqual([
      '1.yaml:10: extra: unknown field',
      '2.yaml:1: models: must be a list',
    ]);
  });
});

describe('an alias', () => {
  it('names a model', () => {
    const catalog = read(first);
    expect(modelNamed(catalog, 'fast')?.id).toBe('acme/small');
    expect(modelNamed(catalog, 'acme/small')?.id).toBe('acme/small');
    expect(modelNamed(catalog, 'slow')).toBeUndefined();
  });

  it.each([
    ['{ turbo: fast }', '2.yaml:1: aliases.turbo: fast is an alias; an alias names a model'],
    ['{ loop: loop }', '2.yaml:1: aliases.loop: loop is an alias; an alias names a model'],
    ['{ acme/small: acme/small }', '2.yaml:1: aliases.acme/small: is the id of a model, also in 1.yaml'],
    ['{ fast: acme/small }', '2.yaml:1: aliases.fast: is listed twice, also in 1.yaml'],
    ['{ gone: acme/none }', '2.yaml:1: aliases.gone: acme/none is not listed'],
    ['{ many: [acme/small] }', '2.yaml:1: aliases.many: must be the id of a model'],
    ['{ "two words": acme/small }', '2.yaml:1: aliases.two words: must be a name without blanks'],
    ['[fast]', '2.yaml:1: aliases: must be a mapping'],
  ])('%j is a problem of its file and field', (aliases, problem) => {
    expect(problemsOf(first, `aliases: ${aliases}`)).toEqual([problem]);
  });

  it('in a cycle is reported for every alias of the cycle', () => {
    expect(problemsOf(first, 'aliases:\n  a: b\n  b: a\n')).toEqual([
      '2.yaml:2: aliases.a: b is an alias; an alias names a model',
      '2.yaml:3: aliases.b: a is an alias; an alias names a model',
    ]);
  });
});
