import { type ModelRequest } from '../../calls/request';

const paths: Readonly<Record<ModelRequest['route'], string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
};
const PROMPT = 'Hello';

const inShell = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The call as a command for a shell, with the key as a variable and a prompt of its own: neither is kept. */
export function curlOf(call: ModelRequest, baseUrl: string): string {
  const headers = [
    '"Authorization: Bearer $SVC_API_KEY"',
    inShell('Content-Type: application/json'),
    ...(call.session_id === null ? [] : [inShell(`Svc-Session-Id: ${call.session_id}`)]),
  ];
  return [
    `curl ${inShell(baseUrl + paths[call.route])}`,
    ...headers.map((header) => `  -H ${header}`),
    `  -d ${inShell(JSON.stringify(bodyOf(call)))}`,
  ].join(' \\\n');
}

function bodyOf({ route, model, stream }: ModelRequest): object {
  const shared = { model, ...(stream && { stream }) };
  if (route === 'embeddings') return { model, input: PROMPT };
  if (route === 'responses') return { ...shared, input: PROMPT };
  const messages = [{ role: 'user', content: PROMPT }];
  return route === 'messages' ? { ...shared, max_tokens: 256, messages } : { ...shared, messages };
}
