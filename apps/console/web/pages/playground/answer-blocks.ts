/** A stretch of an answer: prose, or code between fences. */
export interface Block {
  readonly kind: 'prose' | 'code';
  /** The text after the opening fence. */
  readonly language: string;
  readonly text: string;
  /** False for a fence that was not closed. */
  readonly isClosed: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$/;

/** An answer with its fenced code told apart. Nothing else of Markdown is read. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let open: { readonly fence: string; readonly language: string } | null = null;
  const close = (isClosed: boolean) => {
    if (open !== null || lines.some((line) => line.trim() !== ''))
      blocks.push({
        kind: open === null ? 'prose' : 'code',
        language: open?.language ?? '',
        text: lines.join('\n'),
        isClosed,
      });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, fence = '', language = ''] = FENCE.exec(line) ?? [];
    if (open === null && fence !== '') {
      close(true);
      open = { fence, language: language.trim() };
    } else if (open !== null && fence.startsWith(open.fence) && language === '') {
      close(true);
      open = null;
    } else lines.push(line);
  }
  close(open === null);
  return blocks;
}

const sentences = new Intl.Segmenter('en-US', { granularity: 'sentence' });

/** Prose by its sentences, with the spaces after each. Together they are the text. */
export const sentencesOf = (text: string): readonly string[] =>
  Array.from(sentences.segment(text), ({ segment }) => segment);
