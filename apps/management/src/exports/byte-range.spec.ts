import { readRange } from './byte-range';

it.each([
  [undefined, null],
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=2-', { start: 2, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-30', { start: 0, end: 10 }],
  ['bytes=4-99', { start: 4, end: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['items=0-1', null],
])('%j of ten bytes is %j', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});
