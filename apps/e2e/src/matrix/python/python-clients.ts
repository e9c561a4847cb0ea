import { type FeatureName } from '../feature-names';
import { type ClientUnderTest } from '../matrix-client';
import { PythonClient } from './python-client';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const lists = 'it lists no models';
const counts = 'it counts by itself, or not at all';

const python = (
  module: string,
  about: Pick<ClientUnderTest, 'name' | 'package' | 'route' | 'lacks' | 'fails' | 'errorsHide'>,
): ClientUnderTest => ({
  ...about,
  language: 'Python',
  connect: (settings) => new PythonClient(module, settings),
});

const onlySchema = 'it answers with objects of a schema only';

export const pythonClients: readonly ClientUnderTest[] = [
  python('openai_sdk', {
    name: 'OpenAI',
    package: 'openai',
    route: CHAT,
    lacks: { countTokens: 'OpenAI has no route that counts' },
  }),
  python('openai_responses', {
    name: 'OpenAI responses',
    package: 'openai',
    route: RESPONSES,
    lacks: { countTokens: 'OpenAI has no route that counts' },
  }),
  python('anthropic_sdk', { name: 'Anthropic', package: 'anthropic', route: MESSAGES }),
  python('langchain_openai_chat', {
    name: 'LangChain OpenAI',
    package: 'langchain-openai',
    route: CHAT,
    lacks: { models: lists, countTokens: counts },
  }),
  python('langchain_openai_responses', {
    name: 'LangChain OpenAI responses',
    package: 'langchain-openai',
    route: RESPONSES,
    lacks: { models: lists, countTokens: counts },
  }),
  python('langchain_anthropic_chat', {
    name: 'LangChain Anthropic',
    package: 'langchain-anthropic',
    route: MESSAGES,
    lacks: { models: lists },
    fails: ['aimock', 'fakellm'].map((upstream) => ({
      feature: 'usageStreamed',
      upstream,
      protocol: 'anthropic',
      reason:
        'it reads the tokens of the prompt at the end of a stream, where aimock and fakellm do not repeat them',
    })),
  }),
  python('llama_index_openai_like', {
    name: 'LlamaIndex',
    package: 'llama-index-llms-openai-like',
    route: CHAT,
    lacks: { models: lists, countTokens: counts },
  }),
  python('pydantic_ai_openai', {
    name: 'Pydantic AI',
    package: 'pydantic-ai-slim',
    route: CHAT,
    lacks: { models: lists, countTokens: counts },
  }),
  python('pydantic_ai_openai_responses', {
    name: 'Pydantic AI responses',
    package: 'pydantic-ai-slim',
    route: RESPONSES,
    lacks: { models: lists, countTokens: counts },
  }),
  python('openai_agents', {
    name: 'OpenAI Agents SDK',
    package: 'openai-agents',
    route: CHAT,
    lacks: { models: lists, countTokens: counts },
  }),
  python('openai_agents_responses', {
    name: 'OpenAI Agents SDK responses',
    package: 'openai-agents',
    route: RESPONSES,
    lacks: { models: lists, countTokens: counts },
  }),
  python('litellm_openai', {
    name: 'LiteLLM OpenAI',
    errorsHide: ['code', 'requestId'],
    package: 'litellm',
    route: CHAT,
    lacks: { models: 'it lists the models of its own table', countTokens: counts },
  }),
  python('litellm_anthropic', {
    name: 'LiteLLM Anthropic',
    errorsHide: ['code', 'requestId'],
    package: 'litellm',
    route: MESSAGES,
    lacks: {
      models: 'it lists the models of its own table',
      countTokens: counts,
      retry: 'it retries every error at once, or none',
    },
  }),
  python('instructor_openai', {
    name: 'Instructor',
    package: 'instructor',
    route: CHAT,
    lacks: {
      ...Object.fromEntries(
        (
          [
            'plain',
            'stream',
            'tools',
            'toolsStreamed',
            'usageStreamed',
            'cut',
            'cancel',
            'replay',
          ] satisfies FeatureName[]
        ).map((feature) => [feature, onlySchema]),
      ),
      models: lists,
      countTokens: counts,
    },
  }),
];
