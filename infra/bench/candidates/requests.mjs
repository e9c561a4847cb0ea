// The calls of scenarios, as requests to each candidate.

const PROMPT = 'Say in one sentence what a gateway for model inference holds, limits and records. ';

/** A prompt for a body of about `bytes` bytes. */
const promptFor = (bytes) =>
  PROMPT.repeat(Math.ceil(bytes / PROMPT.length)).slice(0, Math.max(20, bytes - 180));

/** A chat completion with a body of about `bytes` bytes. */
export function chatCall(upstream, { bytes = 1024, ...fields } = {}) {
  const content = promptFor(bytes);
  const system = { role: 'system', content: 'Be brief.' };
  const messages = [system, { role: 'user', content }];
  return { path: '/v1/chat/completions', upstream, body: { messages, max_tokens: 256, ...fields } };
}

export function messagesCall(upstream) {
  const { body } = chatCall(upstream);
  return {
    path: '/v1/messages',
    upstream,
    body: { system: 'Be brief.', messages: body.messages.slice(1), max_tokens: body.max_tokens },
  };
}

export function responseCall(upstream, fields) {
  const body = { instructions: 'Be brief.', input: promptFor(1024), max_output_tokens: 256, ...fields };
  return { path: '/v1/responses', upstream, body };
}

/** As the official client asks: for base64. */
export function embeddingCall(upstream) {
  return { path: '/v1/embeddings', upstream, body: { input: promptFor(1024), encoding_format: 'base64' } };
}

/** The bytes of a whole request. */
export function requestBytes(path, headers, body) {
  const text = JSON.stringify(body);
  const head = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'OpenAI/JS 6.49.0',
    ...headers,
    'content-length': Buffer.byteLength(text),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}

export const getBytes = (path, apiKey) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n\r\n`);
