import { ifMatch, requireVersion } from './version-tag';

describe('If-Match', () => {
  it.each([
    [undefined, null],
    ['*', null],
    ['"3"', ['3']],
    ['"3", "4"', ['3', '4']],
    ['W/"3"', ['3']],
    ['""', ['']],
  ])('%j names %j', (header, tags) => {
    expect(ifMatch().parse(header)).toEqual(tags);
  });

  it.each(['', '3', '"3', '"3" "4"', '"3",', '*, "3"', "'3'"])('is refused as %j', (header) => {
    expect(ifMatch().safeParse(header).success).toBe(false);
  });

  it('lets through the version that it names, or any where it names none', () => {
    expect(() => {
      requireVersion(['2', '3'], 3);
      requireVersion(null, 3);
    }).not.toThrow();
    expect(() => {
      requireVersion(['2'], 3);
    }).toThrow(expect.objectContaining({ reason: 'preconditionFailed', param: 'If-Match' }) as Error);
  });
});
