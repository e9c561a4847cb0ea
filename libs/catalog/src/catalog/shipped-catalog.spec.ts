import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatesText } from '@svc/protocol';

import { type TokenRates } from '../pricing/prices';
import { parseCatalog } from './parse-catalog';

const file = join(__dirname, '../../../../config/catalog.yaml');
const { providers, models } = parseCatalog(readFileSync(file, 'utf8'), { file, env: {} });
const endpoints = [...models.values()].flatMap((model) => model.endpoints);

describe('the shipped catalog', () => {
  it.each([...models.values()])('serves $id, whose output fits its context window', (model) => {
    expect(model.endpoints).not.toHaveLength(0);
    expect(model.maxOutputTokens).toBeLessThanOrEqual(model.contextWindow);
  });

  it.each(endpoints)('has sane prices for $id', ({ operations, prices }) => {
    const hasOutput = [...operations].some(generatesText);
    const sane = ({ input, output, cachedInput, cacheWrite }: TokenRates) =>
      (hasOutput ? output >= input : output === 0n) &&
      input >= cachedInput &&
      cacheWrite >= input &&
      cachedInput > 0n;
    expect(sane(prices)).toBe(true);
    if (prices.longPrompt === undefined) return;
    expect(sane(prices.longPrompt)).toBe(true);
    expect(prices.longPrompt.input).toBeGreaterThan(prices.input);
  });

  it.each(endpoints.filter(({ provider }) => provider.name === 'anthropic'))(
    'knows of $id which sampling and thinking it takes',
    ({ takes }) => {
      const { temperature, 'thinking.type': thinking } = takes?.values ?? {};
      const isOneOfTwo = takes?.oneOf.some((names) => names.join() === 'temperature,top_p') === true;
      expect(isOneOfTwo || temperature?.join() === '1').toBe(true);
      expect(isOneOfTwo || thinking?.includes('enabled') === false).toBe(true);
    },
  );

  it('serves the simulator’s models on every route without a credential', () => {
    for (const id of ['simulator/echo', 'simulator/echo-mini']) {
      const served = models.get(id)?.endpoints.map(({ provider, operations }) => ({
        protocol: provider.protocol,
        credentialEnv: provider.credentialEnv,
        operations: [...operations],
      }));
      expect(served).toEqual([
        { protocol: 'openai', credentialEnv: null, operations: ['chat_completions', 'responses'] },
        { protocol: 'anthropic', credentialEnv: null, operations: ['messages'] },
      ]);
    }
  });

  it('serves embeddings at models that generate no text', () => {
    const embedding = endpoints.filter(({ operations }) => operations.has('embeddings'));
    expect(embedding.length).toBeGreaterThanOrEqual(4);
    for (const { modelId, operations } of embedding) {
      expect([...operations]).toEqual(['embeddings']);
      expect(models.get(modelId)?.maxOutputTokens).toBe(0);
    }
  });

  it('has a price with a fraction of a nano-dollar', () => {
    expect(models.get('simulator/echo')?.endpoints[0]?.prices.cachedInput).toBe(37_500_000n);
  });

  it('requires a credential wherever a call leaves the machine', () => {
    for (const { baseUrl, credentialEnv } of providers.values()) {
      expect(credentialEnv === null).toBe(new URL(baseUrl).hostname === '127.0.0.1');
    }
  });
});
