import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type EmbeddingModel, type LanguageModel } from 'ai';
import { nodeClientsOfThisRun } from '../harness/config';

/** The part of `@ai-sdk/openai` that is used here. */
interface AiSdkOpenAi {
  (modelId: string): LanguageModel;
  embedding(modelId: string): EmbeddingModel;
}

export function aiSdkOpenAiProvider(settings: object): AiSdkOpenAi {
  const { createOpenAI } = requireApart('@ai-sdk/openai') as {
    createOpenAI(given: object): AiSdkOpenAi;
  };
  return createOpenAI(settings);
}

/** The part of SheetJS that specs use. */
interface SheetJs {
  /** Opens a file as a program for tables would. */
  read(
    text: string,
    options: { readonly type: 'string'; readonly cellFormula: true },
  ): { readonly Sheets: Readonly<Record<string, Readonly<Record<string, { readonly f?: string }>>>> };
}

export const sheetJs = (): SheetJs => requireApart('xlsx') as SheetJs;

/** A package of `infra/local/clients/packages`. */
function requireApart(name: string): unknown {
  if (nodeClientsOfThisRun === null) throw new Error(`This run has no ${name}: see npm run test:clients.`);
  return createRequire(join(nodeClientsOfThisRun, 'package.json'))(name);
}
