import { generatedText, isReasoning, type GeneratedPiece } from '@svc/protocol';
import { type OutputCount, type OutputJob } from './output-job';
import { countTexts } from './tokenizer';

/** Counts the text of an answer (docs/reference/money.md#estimated-usage). */
export async function countOutput({ bytes, operation, tokensMax }: OutputJob): Promise<OutputCount> {
  const json: unknown = JSON.parse(Buffer.from(bytes.buffer).toString());
  const pieces =
    operation === null
      ? (json as readonly GeneratedPiece[])
      : generatedText(operation, json as Readonly<Record<string, unknown>>);
  const countOf = (some: readonly GeneratedPiece[]): Promise<number> =>
    countTexts(
      some.map(([, text]) => text),
      tokensMax,
    );
  const reasoningTokens = await countOf(pieces.filter(isReasoning));
  const others = await countOf(pieces.filter((piece) => !isReasoning(piece)));
  return { outputTokens: reasoningTokens + others, reasoningTokens };
}
