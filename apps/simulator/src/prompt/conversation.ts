import { CONTEXT_WINDOW_TOKENS, tokensOfBytes } from './count-tokens';
import { type Prompt } from './prompt';

export type Speaker = 'system' | 'user' | 'assistant' | 'tool';

/** Listens to the messages of a call in order and keeps what an answer needs, not the texts. */
export class Conversation {
  private textBytes = 0;
  private userText = '';
  private toolResults: string[] = [];
  private lastSpeaker: Speaker = 'system';

  hear(speaker: Speaker, text: string): void {
    this.textBytes += Buffer.byteLength(text);
    this.lastSpeaker = speaker;
    if (speaker === 'user') this.userText = text;
    if (speaker === 'tool') this.toolResults.push(text);
    if (speaker === 'assistant') this.toolResults = [];
  }

  /** The text of all that was heard counts as one run of bytes. */
  summary(): Pick<Prompt, 'inputTokenCount' | 'userText' | 'toolResults' | 'continuesFromTools'> {
    return {
      inputTokenCount: Math.min(tokensOfBytes(this.textBytes), CONTEXT_WINDOW_TOKENS),
      userText: this.userText,
      toolResults: this.toolResults,
      continuesFromTools: this.lastSpeaker === 'tool',
    };
  }
}
