const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Beyond this many bytes the native search is used: calling it costs about as much as this many steps of the loop. */
const NEAR_BYTES = 64;

/**
 * The end of the JSON string whose opening quote is at `open`. It is past the text's end when the string never closes.
 */
export function stringEnd(json: Buffer, open: number): number {
  let at = open + 1;
  for (;;) {
    for (const near = at + NEAR_BYTES; at < near; at++) {
      const byte = json[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length + 1;
    let escape = quote;
    while (escape > at && json[escape - 1] === BACKSLASH) escape--;
    if ((quote - escape) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}
