import { RepeatedFrame } from './repeated-frame';

describe('RepeatedFrame', () => {
  const frame = (text: string, rest = '"end":null'): string => `data: {"index":0,"text":${text},${rest}}\n\n`;
  const repeated = new RepeatedFrame();

  it('recognises nothing before it has learned a frame', () => {
    expect(repeated.match(frame('"a"'))).toBeNull();
    repeated.learn(frame('"a"'), 'other', '"a"');
    expect(repeated.match(frame('"a"'))).toBeNull();
  });

  it.each([
    ['alike', frame('"b"'), '"b"'],
    ['with escapes', frame('"\\\\\\"},"'), '"\\\\\\"},"'],
    ['with no text', frame('""'), null],
    ['with another end', frame('"b"', '"end":1234'), null],
    ['with a longer end', frame('"b"', '"end":null,"x":1'), null],
    ['with another beginning', frame('"b"').replace('0', '1'), null],
    ['that is cut', frame('"b"').slice(0, 26), null],
  ])('of a frame %s tells the string, if that is all', (_, other, expected) => {
    repeated.learn(frame('"a"'), 'text', '"a"');
    expect(repeated.match(other)).toBe(expected);
  });
});
