import { type JsonRecord } from '../../json/byte-text';
import { encryptedContentOf } from '../reasoning-item';
import { Losses } from '../loss';
import { rewriteResponsesCall } from './rewrite-responses-call';

function rewritten(body: JsonRecord, builtInTools: readonly string[] = []): [JsonRecord, string[]] {
  const losses = new Losses();
  const target = { upstreamModel: 'gpt-6', maxOutputTokens: 100, builtInTools: new Set(builtInTools) };
  const sent = rewriteResponsesCall({ model: 'a/b', input: 'Hi', ...body }, target, losses);
  return [JSON.parse(JSON.stringify(sent)) as JsonRecord, losses.all.map(({ param }) => param)];
}

const search = { type: 'web_search' };
const look = { type: 'function', name: 'look', parameters: {}, strict: false };

describe('a responses call for an endpoint that is not sent it as it is', () => {
  it('is not stored, and says that it asked to be', () => {
    const [sent, lost] = rewritten({ store: true, compat_mode: 'permissive', temperature: null });
    expect(sent).toEqual({
      model: 'gpt-6',
      input: 'Hi',
      max_output_tokens: 100,
      include: ['reasoning.encrypted_content'],
      store: false,
    });
    expect(lost).toEqual(['store']);
  });

  it('keeps the tools that the endpoint serves', () => {
    expect(rewritten({ tools: [search, look], tool_choice: 'required' }, ['web_search'])).toEqual([
      expect.objectContaining({ tools: [search, look], tool_choice: 'required' }),
      [],
    ]);
    expect(rewritten({ tools: [search, look], tool_choice: 'required' })).toEqual([
      expect.objectContaining({ tools: [look], tool_choice: 'required' }),
      ['tools[0]'],
    ]);
  });

  it('loses a choice with the last tool that it could mean', () => {
    const allowed = (tools: readonly object[]) => ({ type: 'allowed_tools', mode: 'auto', tools });
    for (const [tools, choice, lost] of [
      [[search], 'required', ['tools[0]', 'tool_choice']],
      [[search], 'auto', ['tools[0]']],
      [[search, look], search, ['tools[0]', 'tool_choice']],
      [[search, look], allowed([search]), ['tools[0]', 'tool_choice']],
    ] as const) {
      const [sent, names] = rewritten({ tools, tool_choice: choice });
      expect(names).toEqual(lost);
      expect(sent).not.toHaveProperty('tool_choice');
    }
    const [sent] = rewritten({ tools: [search, look], tool_choice: allowed([search, look]) });
    expect(sent['tool_choice']).toEqual(allowed([look]));
  });

  it('has only the reasoning that the provider can read', () => {
    const reasoning = (encrypted: string | null) => ({
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: encrypted,
    });
    const input = ['gAAA', null, encryptedContentOf('reasoning_content')].map(reasoning);
    const [sent, lost] = rewritten({ input });
    expect(sent['input']).toEqual([reasoning('gAAA')]);
    expect(lost).toEqual(['input[1]', 'input[2]']);
  });
});
