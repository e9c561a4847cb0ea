/** The prompts of every client. An upstream knows a scene by its words, which it finds in the prompt. */
export const scenes = {
  text: {
    words: 'Where does the Rhine end?',
    reply: 'The Rhine ends in the North Sea, not far from Rotterdam.',
  },
  tools: {
    words: 'Ask get_weather about Basel and Köln.',
    reply: 'Basel: Sunny, 21 degrees. Köln: Rain.',
  },
  city: { words: 'Name a city.', reply: '{"name":"Basel","people":177000}' },
  picture: { words: 'What is in the picture?', reply: 'A single dot is in the picture.' },
} as const;

export type SceneName = keyof typeof scenes;

/** The arguments of the model's calls of the weather tool, both at once. */
export const weatherInputs = ['Basel', 'Köln'].map((city, days) => ({ city, days }));

/** The answer of the weather tool. */
export const weatherIn = (input: unknown) =>
  (input as { city?: unknown }).city === 'Basel' ? 'Sunny, 21 degrees' : 'Rain';

export const weatherTool = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const }, days: { type: 'integer' as const } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
};

export const citySchema = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, people: { type: 'integer' as const } },
  required: ['name', 'people'],
  additionalProperties: false,
};

export const picture = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  // Padding behind the end of the picture, so that a shortened one shows.
  Buffer.alloc(6000, 7),
]);
