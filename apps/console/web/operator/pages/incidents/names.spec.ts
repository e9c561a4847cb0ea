import { namesIn } from './names';

it('names are told apart by commas and lines, each once', () => {
  expect(namesIn(' a, b\nc ,,\n a')).toEqual(['a', 'b', 'c']);
  expect(namesIn(' \n')).toEqual([]);
});
