import { collect } from '@svc/testing';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import OpenAI6 from 'openai-6';
import {
  type FunctionTool,
  type Response,
  type ResponseInput,
  type ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import { testPrices, type CatalogDocument } from './harness/catalog-file';
import { svcOf } from './harness/clients';
import { billedOfResponse, expectedCharge } from './harness/expected-charge';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

/** The protocols of the upstream, after which each model is named. */
const PROTOCOLS = ['responses', 'chat_completions', 'messages'] as const;
const MAJORS = [7, 6] as const;
const ways = MAJORS.flatMap((major) => PROTOCOLS.map((operation) => ({ major, operation })));

const tool = (name: string): FunctionTool => ({
  type: 'function',
  name,
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
});

function catalogFor(url: string): CatalogDocument {
  return {
    providers: PROTOCOLS.map((name) => ({
      name,
      protocol: name === 'messages' ? 'anthropic' : 'openai',
      base_url: `${url}/v1`,
    })),
    models: PROTOCOLS.map((name) => ({
      id: `test/${name}`,
      display_name: name,
      context_window: 200_000,
      max_output_tokens: 8192,
    })),
    endpoints: PROTOCOLS.map((name) => ({
      model: `test/${name}`,
      provider: name,
      upstream_model: `${name}-model`,
      region: 'local',
      data_retention: 'zero',
      prices: testPrices,
      ...(name === 'responses' ? { operations: [name] } : {}),
    })),
  };
}

const calledIn = ({ output }: Response) =>
  output.flatMap((item) => (item.type === 'function_call' ? [item] : []));

describe('the official OpenAI client, asking for responses', () => {
  let svc: SharedSvc;

  beforeAll(async () => {
    svc = await sharedSvc({ catalog: catalogFor });
  });

  describe.each(ways)('version $major, of an upstream of $operation:', ({ major, operation }) => {
    const model = `test/${operation}`;

    function client(): OpenAI {
      const settings = { baseURL: `${svc.baseUrl}/v1`, apiKey: svc.apiKey };
      // The parts used here are the same in both; private fields make the two types incompatible.
      return major === 7 ? new OpenAI(settings) : (new OpenAI6(settings) as unknown as OpenAI);
    }

    it('gets a plain response with the exact cost', async () => {
      const response = await client().responses.create({
        model,
        instructions: 'Be brief.',
        input: 'Where does the Rhine end?',
        metadata: { team: 'search' },
      });
      expect(response).toMatchObject({
        object: 'response',
        status: 'completed',
        model,
        store: false,
        instructions: 'Be brief.',
        metadata: { team: 'search' },
      });
      expect(response.output_text).toContain('Where does the Rhine end?');
      const charge = expectedCharge(billedOfResponse(response.usage!), testPrices);
      expect(charge).toBeGreaterThan(0n);
      expect(svcOf(response).cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
    });

    it('streams events in order, the last with `svc`', async () => {
      const stream = await client().responses.create({ model, input: 'Count with me', stream: true });
      const events: readonly ResponseStreamEvent[] = await collect(stream);
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
      expect(events[0]?.type).toBe('response.created');
      const last = events.at(-1)!;
      if (last.type !== 'response.completed') throw new Error(`The last event is ${last.type}.`);
      const deltas = events.flatMap((event) =>
        event.type === 'response.output_text.delta' ? [event.delta] : [],
      );
      expect(deltas.length).toBeGreaterThan(3);
      expect(last.response.model).toBe(model);
      expect(JSON.stringify(last.response.output)).toContain(deltas.join(''));
      const charge = expectedCharge(billedOfResponse(last.response.usage!), testPrices);
      expect(svcOf(last.response).cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
    });

    it('parses an answer of a schema, plain and streamed', async () => {
      const format = zodTextFormat(z.object({ city: z.string(), days: z.int() }), 'weather');
      const asked = { model, input: 'The weather, please', text: { format } };
      const expected = { city: expect.any(String) as string, days: expect.any(Number) as number };
      expect((await client().responses.parse(asked)).output_parsed).toEqual(expected);
      const streamed = await client().responses.stream(asked).finalResponse();
      expect(streamed.output_parsed).toEqual(expected);
    });

    it('goes through a loop of parallel tool calls with reasoning, and sends back all that it got', async () => {
      const calls = ['Basel', 'Köln'].map((city) => ({ name: 'get_weather', arguments: { city } }));
      const input: ResponseInput = [
        { role: 'user', content: `Number the days. @simulator ${JSON.stringify({ tool_calls: calls })}` },
      ];
      const settings = {
        model,
        tools: [tool('get_weather')],
        reasoning: { effort: 'low' as const, summary: 'auto' as const },
      };
      for (const way of ['plain', 'streamed'] as const) {
        const ask = async (items: ResponseInput) =>
          way === 'plain'
            ? client().responses.create({ ...settings, input: items })
            : client()
                .responses.stream({ ...settings, input: items })
                .finalResponse();
        const first = await ask(input);
        const called = calledIn(first);
        expect(called.map(({ arguments: given }) => JSON.parse(given) as unknown)).toEqual(
          calls.map((call) => call.arguments),
        );
        const outputs = called.map(({ call_id: id, arguments: given }) => ({
          type: 'function_call_output' as const,
          call_id: id,
          output: given.includes('Basel') ? 'Sunny, 21 degrees' : 'Rain',
        }));
        const second = await ask([...input, ...(first.output as ResponseInput), ...outputs]);
        expect(calledIn(second)).toEqual([]);
        expect(second.output_text).toContain('Sunny, 21 degrees | Rain');
      }
    });

    it('is incomplete at its output limit', async () => {
      const asked = {
        model,
        input: '@simulator {"reply_words":100}',
        max_output_tokens: 16,
      };
      const plain = await client().responses.create(asked);
      const streamed = await client().responses.stream(asked).finalResponse();
      for (const response of [plain, streamed]) {
        expect(response).toMatchObject({
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
        });
        expect(response.usage?.output_tokens).toBe(16);
      }
    });
  });
});
