interface Base64Data {
  readonly mediaType: string;
  readonly base64: string;
}

/** Reads a base64 data URL (RFC 2397). Null for any other URL. The data may be megabytes, so it is not checked. */
export function readDataUrl(url: string): Base64Data | null {
  if (url.slice(0, 5).toLowerCase() !== 'data:') return null;
  const comma = url.indexOf(',');
  if (comma === -1) return null;
  const [mediaType = '', ...parameters] = url.slice(5, comma).toLowerCase().split(';');
  if (parameters.at(-1)?.trim() !== 'base64' || mediaType === '') return null;
  // `image/jpg` is a common mistake, and Anthropic takes only `image/jpeg`.
  return { mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType, base64: url.slice(comma + 1) };
}

export const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`;
