// Lines that must not compile; the type check reads this file, and nothing imports it.
import { text } from '../browser/address';
import { every } from '../browser/every';
import { choice, someChoice, word } from '../browser/list';
import { listOf } from './list';

void listOf('/keys', {
  q: word(text),
  state: choice(['active', 'revoked']),
  purpose: someChoice(['general']),
});
// @ts-expect-error: a word that the API takes is missing
void listOf('/keys', { state: choice(['active']) });
// @ts-expect-error: a word that the API does not take
void listOf('/keys', { state: choice(['active', 'revoked', 'paused']) });
// @ts-expect-error: a word that the API does not take, among some
void listOf('/keys', { purpose: someChoice(['general', 'test']) });
// @ts-expect-error: a filter that the API does not have
void listOf('/keys', { project: word(text) });

void every<'a' | 'b'>()('b', 'a');
// @ts-expect-error: a value is missing
void every<'a' | 'b'>()('a');
// @ts-expect-error: a value is unknown
void every<'a' | 'b'>()('a', 'b', 'c');
