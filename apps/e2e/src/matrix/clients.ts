import { openAiAgents, openAiAgentsResponses } from './agents-client';
import { aiSdkAnthropic, aiSdkCompatible, aiSdkOpenAi } from './ai-sdk-clients';
import { anthropic0, anthropic1 } from './anthropic-clients';
import { langChainAnthropic, langChainOpenAi, langChainOpenAiResponses } from './langchain-clients';
import { type ClientUnderTest } from './matrix-client';
import { openAi6, openAi7 } from './openai-clients';
import { openAi6Responses, openAi7Responses } from './openai-responses-clients';
import { pythonClients } from './python/python-clients';

/** Every client of the matrix, in the order of the page. */
export const clients: readonly ClientUnderTest[] = [
  openAi7,
  openAi6,
  openAi7Responses,
  openAi6Responses,
  anthropic1,
  anthropic0,
  aiSdkCompatible,
  aiSdkAnthropic,
  aiSdkOpenAi,
  langChainOpenAi,
  langChainOpenAiResponses,
  langChainAnthropic,
  openAiAgents,
  openAiAgentsResponses,
  ...pythonClients,
];
