/** The longest prefix of a text with at most `byteLimit` bytes of UTF-8 and whole characters. */
export function cutToBytes(text: string, byteLimit: number): string {
  // A UTF-16 unit has at most three bytes of UTF-8.
  if (text.length * 3 <= byteLimit || Buffer.byteLength(text) <= byteLimit) return text;
  const bytes = Buffer.from(text);
  let end = byteLimit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
