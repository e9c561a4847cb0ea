import { testPrices, type CatalogDocument } from '../harness/catalog-file';
import { type Address } from '../harness/svc';
import { temporaryFolder } from '../harness/temporary-folder';
import { askClaudeCode } from './claude-code';
import { codexFor } from './codex';
import { askOpencode } from './opencode';

/** Asks in a new session, or goes on with one. @returns the session as the agent itself names it. */
type Ask = (prompt: string, session?: string) => Promise<string>;

/** A program that people have. */
export interface Agent {
  readonly name: string;
  /** Of its model. */
  readonly provider: string;
  start(at: Address): Promise<Ask>;
}

export const agents: readonly Agent[] = [
  {
    name: 'Codex',
    provider: 'agents-openai',
    start: async (at) => {
      const codex = await codexFor(at);
      return async (prompt, session) => {
        const lines = await codex.ask('agents/responses', prompt, session);
        return lines.find(({ type }) => type === 'thread.started')?.thread_id ?? '';
      };
    },
  },
  {
    name: 'Claude Code',
    provider: 'agents-anthropic',
    start: async (at) => {
      const home = await temporaryFolder();
      return async (prompt, session) => {
        const resumed = session === undefined ? [] : ['--resume', session];
        const args = ['--output-format', 'json', ...resumed, prompt];
        const printed = await askClaudeCode(at, home, 'agents/messages', args);
        return (JSON.parse(printed) as { session_id: string }).session_id;
      };
    },
  },
  {
    name: 'opencode',
    provider: 'agents-openai',
    start: async (at) => {
      const home = await temporaryFolder();
      return async (prompt, session) => {
        const resumed = session === undefined ? [] : ['--session', session];
        const printed = await askOpencode(at, home, 'agents/chat', ['--format', 'json', ...resumed, prompt]);
        return /"sessionID":"([^"]+)"/.exec(printed)?.[1] ?? '';
      };
    },
  },
];

/** A model for each route, at a provider that speaks its protocol and reads its prompt cache for less. */
export const catalogOfAgents = (url: string): CatalogDocument => {
  const models = [
    { name: 'responses', protocol: 'openai', operation: 'responses' },
    { name: 'chat', protocol: 'openai', operation: 'chat_completions' },
    { name: 'messages', protocol: 'anthropic', operation: 'messages' },
  ] as const;
  return {
    providers: (['openai', 'anthropic'] as const).map((protocol) => ({
      name: `agents-${protocol}`,
      protocol,
      base_url: `${url}/v1`,
      credential_env: 'SVC_TEST_NO_SUCH_KEY',
    })),
    models: models.map(({ name }) => ({
      id: `agents/${name}`,
      display_name: name,
      context_window: 200_000,
      max_output_tokens: 64_000,
    })),
    endpoints: models.map(({ name, protocol, operation }) => ({
      model: `agents/${name}`,
      provider: `agents-${protocol}`,
      upstream_model: `agents-${name}`,
      region: 'local',
      data_retention: 'zero',
      operations: [operation],
      prices: testPrices,
    })),
  };
};
