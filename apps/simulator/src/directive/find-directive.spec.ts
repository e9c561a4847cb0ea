import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fineTuningSettingsSchema } from '../fine-tuning/fine-tuning-settings';
import { directiveSchema } from './directive';
import { findDirective } from './find-directive';

const find = (header: string | undefined, text: string, model: string, credential = '') =>
  findDirective(header, text, { model, credential });

describe('findDirective', () => {
  it('finds a directive anywhere in the text and takes it out', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('@simulator')),
        fc.string(),
        fc.string(),
        (before, reply, after) => {
          const json = JSON.stringify({ reply, usage: { input_tokens: 1 } });
          const found = find(undefined, `${before}@simulator ${json}${after}`, 'm');
          expect(found.directive).toEqual({ reply, usage: { input_tokens: 1 } });
          expect(found.userText).toBe(`${before}${after}`.trim());
        },
      ),
    );
  });

  it('takes the header before the text, and no directive for an empty one', () => {
    expect(find('{"reply":"header"}', '@simulator {"reply":"text"} hello', 'm')).toEqual({
      directive: { reply: 'header' },
      userText: 'hello',
    });
    expect(find(undefined, 'mail me @simulator, please', 'm')).toEqual({
      directive: {},
      userText: 'mail me @simulator, please',
    });
  });

  it('applies only to the model that it names', () => {
    const text = '@simulator {"only_model":"a","status":500}';
    expect(find(undefined, text, 'a').directive).toEqual({ only_model: 'a', status: 500 });
    expect(find(undefined, text, 'b').directive).toEqual({});
  });

  it('applies only to the credential that it names', () => {
    const text = '@simulator {"only_credential":"sk-a","status":429}';
    expect(find(undefined, text, 'm', 'sk-a').directive).toMatchObject({ status: 429 });
    for (const other of ['sk-b', '']) expect(find(undefined, text, 'm', other).directive).toEqual({});
  });

  it.each([
    ['{"stutus":500}', /stutus/],
    ['{"status":"500"}', /status/],
    ['{"status":100}', /status/],
    ['{"stall_after":-1}', /stall_after/],
    ['{"usage":{"tokens":1}}', /usage/],
    ['{"headers":{"bad name":"x"}}', /headers/],
    ['{"headers":{"Content-Length":"1"}}', /content-length/],
    ['{"tool_calls":[{}]}', /tool_calls.0.name/],
    ['{"status":500', /JSON/],
  ])('answers 400 that says what is wrong: %s', (directive, message) => {
    expect(() => find(undefined, `@simulator ${directive}`, 'm')).toThrow(message);
    expect(() => find(directive, '', 'm')).toThrow(message);
  });
});

describe('README', () => {
  it('has a line for each field of a directive', () => {
    const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
    const documented = [...readme.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field);
    const fields = [...Object.keys(directiveSchema.shape), ...Object.keys(fineTuningSettingsSchema.shape)];
    expect(documented.sort()).toEqual(fields.sort());
  });
});
