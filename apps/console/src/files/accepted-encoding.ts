/** The encodings that the build makes, the smallest first. */
export const encodings = { br: '.br', gzip: '.gz' } as const;

export type Encoding = keyof typeof encodings;

/** The best of the available encodings that `Accept-Encoding` allows (RFC 9110 section 12.5.3); null for none. */
export function acceptedEncoding(header: string, available: ReadonlySet<Encoding>): Encoding | null {
  const accepted = new Map(header.toLowerCase().split(',').map(nameAndWeight));
  const isAccepted = (name: Encoding) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0;
  return (
    (Object.keys(encodings) as Encoding[]).find((name) => available.has(name) && isAccepted(name)) ?? null
  );
}

function nameAndWeight(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice('q='.length))];
}
