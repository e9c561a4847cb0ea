import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { TurnClient, type ClientSettings, type Question } from './matrix-client';

/** One major version of the official client. */
interface OpenAiSdk {
  readonly client: OpenAI;
  readonly errorClass: typeof OpenAI.APIError;
}

export const openAi7Of = ({ baseUrl, apiKey }: ClientSettings): OpenAiSdk => ({
  client: new OpenAI({ apiKey, baseURL: `${baseUrl}/v1` }),
  errorClass: OpenAI.APIError,
});

/** The parts used here are the same in both; private fields make the two types incompatible. */
export const openAi6Of = ({ baseUrl, apiKey }: ClientSettings): OpenAiSdk => ({
  client: new OpenAI6({ apiKey, baseURL: `${baseUrl}/v1` }) as unknown as OpenAI,
  errorClass: OpenAI6.APIError as unknown as typeof OpenAI.APIError,
});

/** The common part of both of its ways to ask. */
export abstract class OpenAiSdkClient extends TurnClient {
  constructor(private readonly sdk: OpenAiSdk) {
    super();
  }

  async models(): Promise<readonly string[]> {
    return (await this.client.models.list()).data.map(({ id }) => id);
  }

  failureOf(thrown: unknown) {
    if (!(thrown instanceof this.sdk.errorClass)) throw thrown;
    const { status, message, code, requestID } = thrown;
    return { status, message, code, requestId: requestID };
  }

  protected get client(): OpenAI {
    return this.sdk.client;
  }
}

export const optionsOf = ({ signal, headers }: Question) => ({
  ...(signal && { signal }),
  ...(headers && { headers }),
});
