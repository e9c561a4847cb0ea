import { type EndedCall } from '../call-minutes/ended-call';

/** At whom a call was answered. */
const servedAt = (name: string): EndedCall['servedBy'] => ({
  provider: { name, protocol: 'openai', baseUrl: '', credentialEnv: null },
});

const NOTHING_USED = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** A call of `key_1` that `acme` answered in 100 ms, 7 tokens in and 5 out. @param tries the providers that were asked. */
export const endedCall = (more: Partial<EndedCall> = {}, tries: readonly string[] = ['acme']): EndedCall => ({
  organizationId: 'org_1',
  projectId: null,
  apiKeyId: 'key_1',
  model: 'acme/small',
  status: 'succeeded',
  httpStatus: 200,
  servedBy: servedAt(tries.at(-1) ?? 'acme'),
  attempts: tries.map((provider) => ({ provider })),
  usage: { ...NOTHING_USED, inputTokens: 7, outputTokens: 5 },
  ttftMs: 100,
  durationMs: 100,
  ...more,
});
