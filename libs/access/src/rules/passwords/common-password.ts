import { commonWords, longCommonPasswords } from './common-passwords';

/** Replacements of letters, as people make them. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Rows of keys and runs, each long enough for any password that is one. Read backwards too. */
const RUNS = [
  '1234567890'.repeat(8),
  'abcdefghijklmnopqrstuvwxyz'.repeat(3),
  "`1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./".repeat(2),
  'qwertyuiopasdfghjklzxcvbnm'.repeat(3),
  'qwertzuiopasdfghjklyxcvbnm'.repeat(3),
  'azertyuiopqsdfghjklmwxcvbn'.repeat(3),
].flatMap((run) => [run, [...run].reverse().join('')]);
const UNIT_MAX = 4;

/**
 * True where many people choose a password, or one like it: one of the list, a common word with digits and signs around it,
 * letters replaced or said again, a run of keys, or a few characters again and again (ASVS 5.0, 6.2.4 and 6.2.11).
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const unit = repeatedUnit(text);
  if ([...unit].length <= UNIT_MAX || longCommonPasswords.has(text)) return true;
  if (RUNS.some((run) => run.includes(text))) return true;
  const words = [wordIn(text), wordIn(unlettered(text))];
  return words.some((word) => commonWords.has(word) || commonWords.has(repeatedUnit(word)));
}

/** `ab` of `ababab`; the text itself where it is no repetition. */
function repeatedUnit(text: string): string {
  const at = (text + text).indexOf(text, 1);
  return at < 0 ? text : text.slice(0, at);
}

/** Without the digits and signs around it. */
const wordIn = (text: string): string => text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');

/** With the letters back that were replaced within the word: those around it stay what they are. */
function unlettered(text: string): string {
  const trimmed = text.replace(/[\d!$@]+$/u, '');
  return trimmed.replace(/[013457@$!]/gu, (sign) => LETTERS[sign] ?? sign);
}
