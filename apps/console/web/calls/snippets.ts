import { type Language, type SnippetOperation } from './languages';
import { javascript, json, literal, membersOf, python, type JsonObject } from './literals';
import { keyword, partOf, quoted, secret, string, value, type Part, type Piece } from './parts';

export interface SnippetFacts {
  /** Where the service is, without a slash at the end: `https://svc.example`. */
  readonly origin: string;
  readonly key: string;
  readonly operation: SnippetOperation;
  /** The body of the call. */
  readonly body: JsonObject;
}

/** The path of a route below the origin. */
export const pathOf: Readonly<Record<SnippetOperation, string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
};

/** Code that makes one call, ready to run as it is copied. */
export const snippetOf = (language: Language, facts: SnippetFacts): readonly Part[] =>
  snippets[language](facts).map(partOf);

export const codeOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');

const snippets: Readonly<Record<Language, (facts: SnippetFacts) => readonly Piece[]>> = {
  curl: ({ origin, key, operation, body }) => [
    'curl ',
    value(origin + pathOf[operation]),
    ' \\\n  -H ',
    string('"Authorization: Bearer '),
    secret(key),
    string('"'),
    ' \\\n  -H ',
    string('"Content-Type: application/json"'),
    " \\\n  -d '{\n",
    ...membersOf(body).flatMap(([name, member], place) => [
      `${place === 0 ? '' : ',\n'}    `,
      quoted(name),
      ': ',
      ...literal(member, json).map(inSingleQuotes),
    ]),
    "\n  }'\n",
  ],
  'openai-python': ({ origin, key, body }) => [
    ...pythonClient('OpenAI', 'openai', `${origin}/v1`, key),
    ...(body['stream'] === true
      ? [
          'stream = client.chat.completions.create(\n',
          ...pythonArguments(body, openAiArguments),
          ...pythonLoop('chunk', [
            '    ',
            keyword('if'),
            ' chunk.choices:\n        ',
            ...pythonPrint([
              'chunk.choices[',
              value(0),
              '].delta.content ',
              keyword('or'),
              ' ',
              string('""'),
            ]),
          ]),
        ]
      : [
          'completion = client.chat.completions.create(\n',
          ...pythonArguments(body, openAiArguments),
          keyword('print'),
          '(completion.choices[',
          value(0),
          '].message.content)\n',
        ]),
  ],
  'anthropic-python': ({ origin, key, body }) => [
    ...pythonClient('Anthropic', 'anthropic', origin, key),
    ...(body['stream'] === true
      ? [
          'stream = client.messages.create(\n',
          ...pythonArguments(body, anthropicArguments),
          ...pythonLoop('event', [
            '    ',
            keyword('if'),
            ' event.type == ',
            string('"content_block_delta"'),
            ' ',
            keyword('and'),
            ' event.delta.type == ',
            string('"text_delta"'),
            ':\n        ',
            ...pythonPrint(['event.delta.text']),
          ]),
        ]
      : [
          'message = client.messages.create(\n',
          ...pythonArguments(body, anthropicArguments),
          keyword('print'),
          '(message.content[',
          value(0),
          '].text)\n',
        ]),
  ],
  'openai-javascript': ({ origin, key, body }) => [
    ...javascriptClient('OpenAI', 'openai', `${origin}/v1`, key),
    ...(body['stream'] === true
      ? [
          ...javascriptCall('stream', 'chat.completions', body),
          ...javascriptLoop('chunk', [
            '  process.stdout.write(chunk.choices[',
            value(0),
            ']?.delta.content ?? ',
            string("''"),
            ');\n',
          ]),
        ]
      : [
          ...javascriptCall('completion', 'chat.completions', body),
          'console.log(completion.choices[',
          value(0),
          '].message.content);\n',
        ]),
  ],
  'anthropic-javascript': ({ origin, key, body }) => [
    ...javascriptClient('Anthropic', '@anthropic-ai/sdk', origin, key),
    ...(body['stream'] === true
      ? [
          ...javascriptCall('stream', 'messages', body),
          ...javascriptLoop('event', ["  process.stdout.write(event.delta?.text ?? '');\n"]),
        ]
      : [
          ...javascriptCall('message', 'messages', body),
          'console.log(message.content[',
          value(0),
          '].text);\n',
        ]),
  ],
};

/** A piece inside single quotes of a shell. */
function inSingleQuotes(piece: Piece): Piece {
  const part = partOf(piece);
  return { ...part, text: part.text.replaceAll("'", String.raw`'\''`) };
}

/** Fields for which the two SDKs for Python have an argument; all others are sent by their `extra_body`. */
const shared = 'model messages stream temperature top_p tools tool_choice metadata service_tier'.split(' ');
const openAiArguments = new Set([
  ...shared,
  ...'frequency_penalty logit_bias logprobs max_completion_tokens max_tokens modalities n'.split(' '),
  ...'parallel_tool_calls presence_penalty reasoning_effort response_format seed stop'.split(' '),
  ...'stream_options top_logprobs user verbosity'.split(' '),
]);
const anthropicArguments = new Set([
  ...shared,
  ...'max_tokens stop_sequences system thinking top_k'.split(' '),
]);

const pythonClient = (client: string, library: string, baseUrl: string, key: string): readonly Piece[] => [
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

function pythonArguments(body: JsonObject, known: ReadonlySet<string>): readonly Piece[] {
  const members = membersOf(body);
  const others = members.filter(([name]) => !known.has(name));
  const named = [
    ...members.filter(([name]) => known.has(name)),
    ...(others.length === 0 ? [] : [['extra_body', Object.fromEntries(others)] as const]),
  ];
  return [...named.flatMap(([name, member]) => [`    ${name}=`, ...literal(member, python), ',\n']), ')\n'];
}

const pythonLoop = (item: string, lines: readonly Piece[]): readonly Piece[] => [
  keyword('for'),
  ` ${item} `,
  keyword('in'),
  ' stream:\n',
  ...lines,
];

const pythonPrint = (what: readonly Piece[]): readonly Piece[] => [
  keyword('print'),
  '(',
  ...what,
  ', end=',
  string('""'),
  ')\n',
];

const javascriptClient = (
  client: string,
  library: string,
  baseUrl: string,
  key: string,
): readonly Piece[] => [
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

const javascriptCall = (name: string, path: string, body: JsonObject): readonly Piece[] => [
  keyword('const'),
  ` ${name} = `,
  keyword('await'),
  ` client.${path}.create({\n`,
  ...membersOf(body).flatMap(([member, of]) => [
    '  ',
    javascript.name(member),
    ': ',
    ...literal(of, javascript),
    ',\n',
  ]),
  '});\n',
];

const javascriptLoop = (item: string, lines: readonly Piece[]): readonly Piece[] => [
  keyword('for'),
  ' ',
  keyword('await'),
  ' (',
  keyword('const'),
  ` ${item} `,
  keyword('of'),
  ' stream) {\n',
  ...lines,
  '}\n',
];
