const WORD = /\s*\S+|\s+/gu;
const ARGUMENT_PIECE_CHARACTERS = 16;

/** A text word by word; the pieces together are the text. */
export function wordPieces(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** Tool arguments in at least two pieces, cut without regard to JSON, as providers do. */
export function argumentPieces(argumentsJson: string): readonly string[] {
  const characters = Array.from(argumentsJson);
  const width = Math.max(1, Math.min(ARGUMENT_PIECE_CHARACTERS, Math.ceil(characters.length / 2)));
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, at) =>
    characters.slice(at * width, (at + 1) * width).join(''),
  );
}
