import { openAiAgents } from './agents-client';
import { aiSdkAnthropic, aiSdkCompatible } from './ai-sdk-clients';
import { anthropic0, anthropic1 } from './anthropic-clients';
import { langChainAnthropic, langChainOpenAi } from './langchain-clients';
import { type ClientUnderTest } from './matrix-client';
import { openAi6, openAi7 } from './openai-clients';
import { pythonClients } from './python/python-clients';

/** Every client of the matrix, in the order of the page. */
export const clients: readonly ClientUnderTest[] = [
  openAi7,
  openAi6,
  anthropic1,
  anthropic0,
  aiSdkCompatible,
  aiSdkAnthropic,
  langChainOpenAi,
  langChainAnthropic,
  openAiAgents,
  ...pythonClients,
];
