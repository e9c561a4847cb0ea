/** Concatenates pieces; copies only when there are several. */
export const joined = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
