import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import type OpenAI from 'openai';
import { type ClientSettings } from '../matrix-client';
import { openAi6Of, openAi7Of } from '../openai-sdk';
import { aiSdkOpenAiProvider } from '../packages-apart';
import { PythonEmbeddings } from '../python/python-client';

export interface EmbeddingQuestion {
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions?: number;
}

/** The vectors of texts, in their order, as a client hands them out. */
export type Embed = (question: EmbeddingQuestion) => Promise<readonly (readonly number[])[]>;

export interface EmbeddingClientUnderTest {
  readonly name: string;
  readonly language: 'Node.js' | 'Python';
  /** The package, as its registry and its manifest here name it. */
  readonly package: string;
  readonly isApart?: boolean;
  /** An upstream over which nothing works. It is tried, so that a change shows. */
  readonly failsOver?: { readonly upstream: string; readonly reason: string };
  connect(settings: ClientSettings): Embed;
}

/** It asks for base64, and decodes it. */
const embedBy =
  (client: OpenAI): Embed =>
  async ({ model, texts, dimensions }) => {
    const { data } = await client.embeddings.create({
      model,
      input: [...texts],
      ...(dimensions !== undefined && { dimensions }),
    });
    return data.map(({ embedding }) => embedding);
  };

const python = (name: string, packageName: string, module: string): EmbeddingClientUnderTest => ({
  name,
  language: 'Python',
  package: packageName,
  connect: (settings) => {
    const client = new PythonEmbeddings(module, settings);
    return (question) => client.embed(question);
  },
});

export const embeddingClients: readonly EmbeddingClientUnderTest[] = [
  {
    name: 'OpenAI 7',
    language: 'Node.js',
    package: 'openai',
    connect: (settings) => embedBy(openAi7Of(settings).client),
  },
  {
    name: 'OpenAI 6',
    language: 'Node.js',
    package: 'openai-6',
    failsOver: {
      upstream: 'aimock',
      reason: 'it takes every vector for base64, for which it asked, and aimock answers numbers',
    },
    connect: (settings) => embedBy(openAi6Of(settings).client),
  },
  {
    name: 'LangChain OpenAI',
    language: 'Node.js',
    package: '@langchain/openai',
    connect:
      ({ baseUrl, apiKey }) =>
      ({ texts, ...question }) => {
        const configuration = { baseURL: `${baseUrl}/v1` };
        return new OpenAIEmbeddings({ apiKey, configuration, ...question }).embedDocuments([...texts]);
      },
  },
  {
    name: 'AI SDK OpenAI',
    language: 'Node.js',
    package: '@ai-sdk/openai',
    isApart: true,
    connect: ({ baseUrl, apiKey }) => {
      const provider = aiSdkOpenAiProvider({ apiKey, baseURL: `${baseUrl}/v1` });
      return async ({ model, texts, dimensions }) => {
        const settings = {
          model: provider.embedding(model),
          values: [...texts],
          ...(dimensions !== undefined && { providerOptions: { openai: { dimensions } } }),
        };
        return (await embedMany(settings)).embeddings;
      };
    },
  },
  python('OpenAI', 'openai', 'openai_sdk'),
  python('LangChain OpenAI', 'langchain-openai', 'langchain_openai_embeddings'),
];
