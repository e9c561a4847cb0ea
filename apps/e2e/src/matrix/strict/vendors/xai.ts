import { atMost, noFields, onlyRoles, withParameters } from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Of its models that reason: the OpenAPI document of api.x.ai (`ChatRequest`, `Message`, `FunctionDefinition`). */
export const xai = new CompatibleRules({
  status: 400,
  rules: [
    // https://docs.x.ai/docs/guides/reasoning
    noFields(
      ['presence_penalty', 'frequency_penalty', 'stop'],
      (name) => `Argument not supported on this model: ${camelCase(name)}`,
    ),
    noFields(['logit_bias'], (name) => `Argument not supported: ${camelCase(name)}`),
    onlyRoles(
      ['system', 'user', 'assistant', 'tool', 'function'],
      (role, at) =>
        `Failed to deserialize the JSON body into the target type: messages[${String(at)}].role: unknown variant \`${role}\``,
    ),
    withParameters(
      (at) =>
        `Failed to deserialize the JSON body into the target type: tools[${String(at)}].function: missing field \`parameters\``,
    ),
    atMost('tools', 128),
    atMost('temperature', 2),
    atMost('top_logprobs', 8),
  ],
  errorBody: ({ message }) => ({ code: 'Client specified an invalid argument', error: message }),
});
