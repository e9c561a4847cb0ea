import { type Language } from './languages';

/** A part of code: how it is coloured, and whether it is the secret. */
export interface Part {
  readonly text: string;
  readonly as?: 'string' | 'keyword' | 'value';
  readonly isSecret?: boolean;
}

export interface SnippetFacts {
  /** Where the service is, without a slash at the end: `https://svc.example`. */
  readonly origin: string;
  readonly key: string;
  readonly model: string;
}

const PROMPT = 'Say hello in one sentence.';
const TOKENS_MAX = 100;

type Piece = string | Part;
const string = (text: string): Part => ({ text, as: 'string' });
const keyword = (text: string): Part => ({ text, as: 'keyword' });
const value = (text: string | number): Part => ({ text: String(text), as: 'value' });

/** A text as JSON, JavaScript and Python all write it. */
const quoted = (text: string): Part => string(JSON.stringify(text));
/** The key between quotes that the given parts have. */
const secret = (key: string): Part => ({ text: key, as: 'string', isSecret: true });
/** A text inside single quotes of a shell. */
const inSingleQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** Code that makes one call, ready to run as it is copied. */
export const snippetOf = (language: Language, facts: SnippetFacts): readonly Part[] =>
  snippets[language](facts).map((piece) => (typeof piece === 'string' ? { text: piece } : piece));

export const codeOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');

const snippets: Readonly<Record<Language, (facts: SnippetFacts) => readonly Piece[]>> = {
  curl: ({ origin, key, model }) => [
    'curl ',
    value(`${origin}/v1/chat/completions`),
    ' \\\n  -H ',
    string('"Authorization: Bearer '),
    secret(key),
    string('"'),
    ' \\\n  -H ',
    string('"Content-Type: application/json"'),
    " \\\n  -d '{\n    ",
    string('"model"'),
    ': ',
    string(inSingleQuotes(JSON.stringify(model))),
    ',\n    ',
    string('"max_tokens"'),
    ': ',
    value(TOKENS_MAX),
    ',\n    ',
    string('"messages"'),
    ': [{',
    string('"role"'),
    ': ',
    string('"user"'),
    ', ',
    string('"content"'),
    ': ',
    quoted(PROMPT),
    "}]\n  }'\n",
  ],
  'openai-python': ({ origin, key, model }) => [
    ...python('OpenAI', 'openai', `${origin}/v1`, key),
    'completion = client.chat.completions.create(\n',
    ...pythonArguments(model),
    keyword('print'),
    '(completion.choices[',
    value(0),
    '].message.content)\n',
  ],
  'anthropic-python': ({ origin, key, model }) => [
    ...python('Anthropic', 'anthropic', origin, key),
    'message = client.messages.create(\n',
    ...pythonArguments(model),
    keyword('print'),
    '(message.content[',
    value(0),
    '].text)\n',
  ],
  'openai-javascript': ({ origin, key, model }) => [
    ...javascript('OpenAI', 'openai', `${origin}/v1`, key),
    ...javascriptCall('completion', 'chat.completions', model),
    'console.log(completion.choices[',
    value(0),
    '].message.content);\n',
  ],
  'anthropic-javascript': ({ origin, key, model }) => [
    ...javascript('Anthropic', '@anthropic-ai/sdk', origin, key),
    ...javascriptCall('message', 'messages', model),
    'console.log(message.content[',
    value(0),
    '].text);\n',
  ],
};

const python = (client: string, library: string, baseUrl: string, key: string): readonly Piece[] => [
  keyword('from'),
  ` ${library} `,
  keyword('import'),
  ` ${client}\n\nclient = ${client}(\n    base_url=`,
  quoted(baseUrl),
  ',\n    api_key=',
  string('"'),
  secret(key),
  string('"'),
  ',\n)\n',
];

const pythonArguments = (model: string): readonly Piece[] => [
  '    model=',
  quoted(model),
  ',\n    max_tokens=',
  value(TOKENS_MAX),
  ',\n    messages=[{',
  string('"role"'),
  ': ',
  string('"user"'),
  ', ',
  string('"content"'),
  ': ',
  quoted(PROMPT),
  '}],\n)\n',
];

const javascript = (client: string, library: string, baseUrl: string, key: string): readonly Piece[] => [
  keyword('import'),
  ` ${client} `,
  keyword('from'),
  ' ',
  quoted(library),
  ';\n\n',
  keyword('const'),
  ' client = ',
  keyword('new'),
  ` ${client}({\n  baseURL: `,
  quoted(baseUrl),
  ',\n  apiKey: ',
  string('"'),
  secret(key),
  string('"'),
  ',\n});\n',
];

const javascriptCall = (name: string, path: string, model: string): readonly Piece[] => [
  keyword('const'),
  ` ${name} = `,
  keyword('await'),
  ` client.${path}.create({\n  model: `,
  quoted(model),
  ',\n  max_tokens: ',
  value(TOKENS_MAX),
  ',\n  messages: [{ role: ',
  string('"user"'),
  ', content: ',
  quoted(PROMPT),
  ' }],\n});\n',
];
