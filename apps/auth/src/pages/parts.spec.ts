import { htmlText, type Html } from '@svc/http';
import { choices, textField } from './parts';

/** One tag a line, however the markup is laid out. */
const tag = (markup: Html, name: string): string =>
  new RegExp(`<${name}\\b[^>]*>`).exec(htmlText(markup))?.[0].replace(/\s+/g, ' ') ?? '';

const password = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  maxLength: 512,
} as const;

describe('a text field', () => {
  it('is named by its label, and has to be filled in', () => {
    expect(tag(textField(password), 'label')).toBe('<label for="password">');
    expect(tag(textField(password), 'input')).toBe(
      '<input id="password" name="password" type="password" autocomplete="new-password" maxlength="512" required />',
    );
  });

  it('is described by its hint and its problem', () => {
    const field = textField({ ...password, hint: 'Long.', problem: 'Too short.', minLength: 12 });
    const input = tag(field, 'input');
    expect(input).toContain('aria-describedby="password-hint password-problem"');
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain('minlength="12"');
    expect(htmlText(field)).toContain('<p class="hint" id="password-hint">Long.</p>');
    expect(htmlText(field)).toContain('<p class="problem" id="password-problem">Too short.</p>');
  });

  it('that is fixed need not be filled in', () => {
    const input = tag(textField({ ...password, value: '"a"', fixed: true }), 'input');
    expect(input).toContain('readonly value="&quot;a&quot;"');
    expect(input).not.toContain('required');
  });
});

describe('choices', () => {
  it('are one question with a label each, chosen as they are', () => {
    const text = htmlText(
      choices('Scopes', 'checkbox', 'scope', [
        { value: 'a', label: 'First', about: 'It reads.', chosen: true },
        { value: 'b', label: '<Second>', chosen: false },
      ]),
    );
    expect(text).toContain('<legend>Scopes</legend>');
    expect(text.match(/<label>/g)).toHaveLength(2);
    expect(text).toMatch(/name="scope"\s+value="a"\s+checked/);
    expect(text.match(/checked/g)).toHaveLength(1);
    expect(text).toContain('&lt;Second&gt;');
  });
});
