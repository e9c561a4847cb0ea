/** Nano-dollars as decimal text, added and shown without loss. */
interface Scaled {
  readonly digits: bigint;
  readonly places: number;
}

function scaled(decimal: string): Scaled {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

function textOf({ digits, places }: Scaled): string {
  const padded = digits.toString().padStart(places + 1, '0');
  const fraction = padded.slice(padded.length - places).replace(/0+$/, '');
  return padded.slice(0, padded.length - places) + (places === 0 || fraction === '' ? '' : `.${fraction}`);
}

/** The exact sum of decimal texts. */
export function sumOf(decimals: readonly string[]): string {
  const parts = decimals.map(scaled);
  const places = Math.max(0, ...parts.map((part) => part.places));
  const digits = parts.reduce((sum, part) => sum + part.digits * 10n ** BigInt(places - part.places), 0n);
  return textOf({ digits, places });
}

const NANO_PLACES = 9;

/** Nano-dollars, `15750.5`, as exact dollars with at least nine decimals: `$0.0000157505`. */
export function exactDollars(nanos: string): string {
  const { digits, places } = scaled(nanos);
  const [whole = '0', fraction = ''] = textOf({ digits, places: places + NANO_PLACES }).split('.');
  return `$${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction.padEnd(NANO_PLACES, '0')}`;
}
