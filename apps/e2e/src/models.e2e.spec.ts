import { anthropicClient, openAiClient, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

interface Limits {
  readonly context_window: number;
  readonly max_output_tokens: number;
}

describe('GET /v1/models', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  it('lists, for the OpenAI client, each model with its context window and largest output', async () => {
    const models = [];
    for await (const model of openAiClient(svc).models.list()) models.push(model as typeof model & Limits);
    expect(models.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['simulator/echo', 'simulator/echo-mini', 'simulator/embed']),
    );
    for (const model of models) {
      expect(model).toMatchObject({ object: 'model', owned_by: model.id.split('/')[0] });
      expect(model.id).toMatch(/^[^/]+\/.+$/);
      expect(model.context_window).toBeGreaterThan(0);
      // A model for embeddings generates no text.
      if (model.id === 'simulator/embed') expect(model.max_output_tokens).toBe(0);
      else expect(model.max_output_tokens).toBeGreaterThan(0);
    }
  });

  it('lists the same models for the Anthropic client', async () => {
    const ids: string[] = [];
    for await (const { id, type } of anthropicClient(svc).models.list()) {
      expect(type).toBe('model');
      ids.push(id);
    }
    const { data } = await openAiClient(svc).models.list();
    expect(ids).toEqual(data.map(({ id }) => id));
  });

  it('leaves out models without a credential', async () => {
    const { data } = await openAiClient(svc).models.list();
    expect(data.every(({ id }) => id.startsWith('simulator/'))).toBe(true);
  });

  it('retrieves one model by its id, the slash percent-encoded or not', async () => {
    const byOpenAi = await openAiClient(svc).models.retrieve('simulator/echo');
    const byAnthropic = await anthropicClient(svc).models.retrieve('simulator/echo');
    const plain = await fetch(`${svc.baseUrl}/v1/models/simulator/echo`, {
      headers: { 'x-api-key': svc.apiKey },
    });
    const expected = { id: 'simulator/echo', context_window: 200_000, max_output_tokens: 8192 };
    expect(byOpenAi).toMatchObject(expected);
    expect(byAnthropic).toMatchObject(expected);
    expect(await plain.json()).toMatchObject(expected);
  });

  it('answers 404 for an unknown model and 401 without a key', async () => {
    await expect(openAiClient(svc).models.retrieve('simulator/none')).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    });
    const response = await fetch(`${svc.baseUrl}/v1/models`);
    expect(response.status).toBe(401);
    expect(((await response.json()) as ErrorBody).error.code).toBe('invalid_api_key');
  });
});
