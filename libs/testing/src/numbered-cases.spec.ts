import { casesListedIn, casesTriedIn } from './numbered-cases';

describe('the cases of a guide', () => {
  it('are its numbered rows', () => {
    const markdown = ['| | Tried |', '| --- | --- |', '| 1   | one | a |', '| 12 | 13 |', '| x | 3 |'];
    expect(casesListedIn(markdown.join('\n'))).toEqual([
      { number: 1, text: ' one | a |' },
      { number: 12, text: ' 13 |' },
    ]);
  });
});

describe('the cases of a spec', () => {
  it.each([
    [`it('7: refuses', `, [7]],
    [`it.each([1])('7, 12: refuses %i', `, [7, 12]],
    ['describe(`7 12 refuses`, ', [7, 12]],
    [`it.each([\n    ['8 refuses', 400],\n    [\n      '9: refuses',`, [8, 9]],
    [`it('refuses 7: never', `, []],
    [`rotate(id, '1 day')`, []],
    [`it('7', `, []],
    [`expect(counts).toEqual(['404: a'])`, []],
  ])('are the numbers before the names in %j', (spec, numbers) => {
    expect([...casesTriedIn(spec)]).toEqual(numbers);
  });
});
