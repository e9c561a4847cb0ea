import fc from 'fast-check';
import { accountReferences } from './account-references';
import { needsRewriting } from './needs-rewriting';
import { OPERATIONS } from './operation';
import { unusualToolNames } from './tool-names';
import { unpaidOptions } from './unpaid-options';
import { hasUnusualParts } from './unusual-parts';

const long = 'x'.repeat(129);
const leaf = fc.constantFrom<object>(
  { type: 'text', text: 'Hi' },
  { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
  { type: 'text', cache_control: { type: 'ephemeral', ttl: '1h' } },
  { type: 'thinking', thinking: 'Hm.', signature: 'reasoning_content' },
  { type: 'thinking', thinking: 'Hm.', signature: 'content' },
  { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  { type: 'tool_use', name: 'fun', input: { file_id: 'f' } },
  { type: 'tool_use', name: long, input: {} },
  { type: 'image', source: { type: 'file', file_id: 'f' } },
  { type: 'container_upload', file_id: 'f' },
  { type: 'file', file: { file_id: 'f' } },
  { type: 'input_audio', input_audio: {} },
);
const part = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }).map((content) => ({ type: 'tool_result', content })),
  fc.array(leaf, { maxLength: 2 }).map((output) => ({ type: 'function_call_output', output })),
  fc
    .array(leaf, { maxLength: 2 })
    .map((content) => ({ type: 'document', source: { type: 'content', content } })),
);
const call = fc
  .constantFrom('f', long)
  .map((name) => ({ type: 'function', function: { name, arguments: '' } }));
const message = fc.record(
  {
    role: fc.constantFrom('user', 'assistant'),
    content: fc.array(part, { maxLength: 3 }),
    tool_calls: fc.option(fc.array(call, { maxLength: 2 })),
    name: fc.constantFrom(null, 'Anna'),
    function_call: fc.constantFrom({ name: 'fun' }, { name: long }),
    reasoning_content: fc.constantFrom(null, 'Hm.'),
    reasoning_details: fc.constantFrom([], [{ type: 'reasoning.text', signature: 'c2ln', text: 'Hm.' }]),
  },
  { requiredKeys: ['role', 'content'] },
);
const tool = fc.constantFrom<object>(
  { type: 'function', function: { name: 'fun', parameters: { type: 'object', properties: {} } } },
  { type: 'function', function: { name: 'fun', parameters: { type: 'object' } } },
  { type: 'function', function: { name: 'fun' } },
  { type: 'function', name: long },
  { name: 'fun', input_schema: { type: 'object' } },
  { name: 'fun', cache_control: { ttl: '1h' } },
  { type: 'web_search' },
  { google_search: {} },
  { type: 'code_interpreter', container: 'c' },
  { type: 'shell', environment: { container_id: 'c' } },
);
const body = fc.record(
  {
    messages: fc.array(message, { maxLength: 3 }),
    input: fc.array(fc.oneof(message, part), { maxLength: 3 }),
    system: fc.array(leaf, { maxLength: 2 }),
    tools: fc.array(tool, { maxLength: 3 }),
    functions: fc.array(
      fc.constantFrom<object>(
        { name: 'fun', parameters: { type: 'object', properties: {} } },
        { name: 'fun' },
        { name: 'fun', parameters: { type: 'object' } },
      ),
    ),
  },
  { requiredKeys: [] },
);

it('a body without unusual parts has nothing that an exact look finds', () => {
  let usual = 0;
  fc.assert(
    fc.property(body, fc.constantFrom(...OPERATIONS), (one, operation) => {
      if (hasUnusualParts(one)) return;
      usual++;
      expect(unpaidOptions(operation, one, Object.keys(one)).hasParts).toBe(false);
      expect(accountReferences(operation, one)).toEqual([]);
      expect(unusualToolNames(one)).toEqual([]);
      expect(needsRewriting(operation, one, true)).toBe(needsRewriting(operation, one, false));
    }),
    { numRuns: 10_000 },
  );
  expect(usual).toBeGreaterThan(50);
});
