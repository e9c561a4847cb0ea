import fc from 'fast-check';
import { nameInMail } from './name-in-mail';

describe('the name of an organization in a mail', () => {
  it.each([
    ['Acme', 'Acme'],
    ['St. Mary’s & Söhne, Ltd.', 'St. Mary’s & Söhne, Ltd.'],
    ['You won! Log in at https://evil.example/login?a=b', 'You won! Log in at https evil example login?a=b'],
    ['evil.example', 'evil example'],
    ['www.evil。example', 'www evil example'],
    ['evil．example', 'evil example'],
    ['mail me@evil.example', 'mail me evil example'],
    ['<a href="//evil.example">', 'a href=" evil example"'],
    ['://', 'an organization'],
    ['x'.repeat(200), `${'x'.repeat(64)}…`],
  ])('%j is %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  it('never looks like a link, and is never long', () => {
    const part = fc.constantFrom(
      'a',
      'evil',
      '.',
      '..',
      '/',
      ':',
      '@',
      ' ',
      '。',
      '．',
      '｡',
      'example',
      '\\',
      '…',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const shown = nameInMail(parts.join(''));
        expect(shown).not.toMatch(/[\p{L}\p{N}][.。．｡]+[\p{L}\p{N}]|[:/\\@<>]/u);
        expect([...shown].length).toBeLessThanOrEqual(65);
        expect(shown).not.toBe('');
      }),
    );
  });
});
