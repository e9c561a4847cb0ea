import { CONTEXT_WINDOW_TOKENS, tokensOfBytes } from './count-tokens';
import { type Prompt } from './prompt';

export type Speaker = 'system' | 'user' | 'assistant' | 'tool';

/** Collects from the messages of a call, in order, what an answer needs. It does not keep the texts. */
export class Conversation {
  private textBytes = 0;
  private userText = '';
  private toolResults: string[] = [];
  private lastSpeaker: Speaker = 'system';

  add(speaker: Speaker, text: string): void {
    this.textBytes += Buffer.byteLength(text);
    this.lastSpeaker = speaker;
    if (speaker === 'user') this.userText = text;
    if (speaker === 'tool') this.toolResults.push(text);
    if (speaker === 'assistant') this.toolResults = [];
  }

  /** The text of all messages counts as one run of bytes. */
  summary(): Pick<Prompt, 'inputTokenCount' | 'userText' | 'toolResults' | 'continuesFromTools'> {
    return {
      inputTokenCount: Math.min(tokensOfBytes(this.textBytes), CONTEXT_WINDOW_TOKENS),
      userText: this.userText,
      toolResults: this.toolResults,
      continuesFromTools: this.lastSpeaker === 'tool',
    };
  }
}
