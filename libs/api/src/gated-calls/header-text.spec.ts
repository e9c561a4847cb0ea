import { headerText } from './header-text';

/** As Node.js hands on the bytes of a header. */
const received = (text: string): string => Buffer.from(text).toString('latin1');

it.each(['The pilot', 'Größe der Müllabfuhr', '試験は月曜日に始まる', '😀'])(
  'reads %s, which was sent as UTF-8',
  (text) => {
    expect(headerText(received(text))).toBe(text);
  },
);

it('takes bytes that are no UTF-8 as Latin-1', () => {
  expect(headerText('Gr\u00f6\u00dfe')).toBe('Größe');
});
