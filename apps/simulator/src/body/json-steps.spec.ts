import fc from 'fast-check';
import { jsonSteps } from './json-steps';
import { parseBody } from './parse-body';

function readAll(text: string): { value: unknown; steps: number } {
  const reading = jsonSteps(Buffer.from(text));
  for (let steps = 0; ; steps++) {
    const step = reading.next();
    if (step.done === true) return { value: step.value, steps };
  }
}

describe('jsonSteps', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(readAll(text).value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const nearJson = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', '0', ':', 'x'))
      .map(([json, at, inserted]) => {
        const place = at % (json.length + 1);
        return `${json.slice(0, place)}${inserted}${json.slice(place + 1)}`;
      });
    fc.assert(
      fc.property(nearJson, (text) => {
        expect(outcome(() => readAll(text).value)).toBe(outcome(() => JSON.parse(text) as unknown));
      }),
      { numRuns: 2000 },
    );
  });

  it('decodes a long string in steps without breaking a character or an escape', () => {
    const pieces = ['a', 'é', '😀', '\\', '"', '\n', '\u0001', '\ud83d'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 3, maxLength: 9 }), (pattern) => {
        const text = pattern.join('').repeat(120_000);
        const { value, steps } = readAll(JSON.stringify({ text }));
        expect((value as { text: string }).text === text).toBe(true);
        expect(steps).toBeGreaterThan(0);
      }),
      { numRuns: 10, examples: [[['\\', '\\', '\\']], [['a', '\\', '\ud83d']]] },
    );
  });
});

describe('parseBody', () => {
  it('yields to others while it reads a large body', async () => {
    const body = Buffer.from(JSON.stringify({ items: Array.from({ length: 300_000 }, (_, at) => ({ at })) }));
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    const { items } = await parseBody(body);
    clearInterval(others);
    expect(items).toHaveLength(300_000);
    expect(turns).toBeGreaterThan(5);
  });

  it.each(['', '{', '[]', 'null', '"text"', '{"a":1}{', `[${'1,'.repeat(600_000)}`])(
    'answers 400 for a body that is no JSON object (%#)',
    async (body) => {
      await expect(parseBody(Buffer.from(body))).rejects.toMatchObject({ name: 'Refusal', status: 400 });
    },
  );
});

function outcome(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return error instanceof SyntaxError ? 'SyntaxError' : String(error);
  }
}
