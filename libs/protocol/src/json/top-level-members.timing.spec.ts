import { GROWTH_MAX, growthOf } from '../testing/growth-of';
import { encodeUtf8 } from './byte-text';
import { topLevelMembers } from './top-level-members';

const nowMs = () => performance.now();

it('takes a time that grows with the text, not with its square, whatever its brackets', () => {
  const lists = (count: number, ...parts: readonly string[]) =>
    parts.map((part) => part.repeat(count)).join('1');
  const shapes: readonly ((count: number) => string)[] = [
    (count) => lists(count, '[1,', ']'),
    (count) => lists(count, '[1,{"a":', '}]'),
    (count) => `[${lists(count, '[1],', '')}]`,
  ];
  for (const shape of shapes) {
    const reading = (count: number) => {
      const text = encodeUtf8(`{"a":${shape(count)}}`);
      return () => expect(topLevelMembers(text).members).toHaveLength(1);
    };
    expect(growthOf(60_000, reading, nowMs)).toBeLessThan(GROWTH_MAX);
  }
});
