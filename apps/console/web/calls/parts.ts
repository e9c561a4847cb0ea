/** A part of code: how it is coloured, and whether it is the secret. */
export interface Part {
  readonly text: string;
  readonly as?: 'string' | 'keyword' | 'value';
  readonly isSecret?: boolean;
}
export type Piece = string | Part;

export const string = (text: string): Part => ({ text, as: 'string' });
export const keyword = (text: string): Part => ({ text, as: 'keyword' });
export const value = (text: string | number): Part => ({ text: String(text), as: 'value' });

/** A text as JSON, JavaScript and Python all write it. */
export const quoted = (text: string): Part => string(JSON.stringify(text));
/** The key between quotes that the given parts have. */
export const secret = (key: string): Part => ({ text: key, as: 'string', isSecret: true });

export const partOf = (piece: Piece): Part => (typeof piece === 'string' ? { text: piece } : piece);
