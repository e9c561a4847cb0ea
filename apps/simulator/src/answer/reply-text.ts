import { type Directive } from '../directive/directive';
import { type Prompt } from '../prompt/prompt';
import { sampleJson } from './sample-json';

const NOTICE = 'This is the Svc simulator, not a language model.';
const QUOTE_CHARACTERS = 200;
const WORDS = ['simulated', 'words', 'of', 'the', 'Svc', 'simulator'];

/** By default it says that it is a simulator, and quotes the end of its input. */
export function replyText(prompt: Prompt, directive: Directive, callsTools: boolean): string {
  if (directive.reply !== undefined) return directive.reply;
  if (directive.reply_words !== undefined) return words(directive.reply_words);
  if (callsTools) return '';
  if (prompt.answerSchema !== undefined) return JSON.stringify(sampleJson(prompt.answerSchema));
  if (prompt.toolResults.length > 0) {
    return `${NOTICE} The tool answered: ${prompt.toolResults.map(endOf).join(' | ')}`;
  }
  return prompt.userText === ''
    ? `${NOTICE} You wrote nothing.`
    : `${NOTICE} You wrote: ${endOf(prompt.userText)}`;
}

function words(wordCount: number): string {
  return Array.from({ length: wordCount }, (_, at) => WORDS[at % WORDS.length]).join(' ');
}

function endOf(text: string): string {
  if (text.length <= QUOTE_CHARACTERS) return text;
  // A character has at most two UTF-16 units.
  return `…${Array.from(text.slice(-2 * QUOTE_CHARACTERS))
    .slice(-QUOTE_CHARACTERS)
    .join('')}`;
}
