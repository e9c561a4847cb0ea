const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a header. Clients send what is not ASCII as UTF-8, whose bytes Node.js hands on as Latin-1; bytes that are no
 * UTF-8 are Latin-1.
 */
export function headerText(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
