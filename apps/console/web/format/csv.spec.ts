import { csvOf } from './csv';

describe('comma-separated values', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('keep a spreadsheet from running %j', (text) => {
    expect(csvOf(['a'], [[text]]).split('\r\n')[1]).toContain(`'${text}`);
  });

  it('leave numbers as they are, negative and beyond 2⁵³ too', () => {
    expect(csvOf(['a', 'b', 'c'], [[-5, -9_007_199_254_740_993n, null]])).toBe(
      'a,b,c\r\n-5,-9007199254740993,\r\n',
    );
  });

  it('quote what has commas, quotes and line breaks', () => {
    expect(csvOf(['a'], [['x,"y"\nz']])).toBe('a\r\n"x,""y""\nz"\r\n');
  });
});
