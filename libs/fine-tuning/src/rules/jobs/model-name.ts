/** `ft-` and eight letters: the creator in the names of an organization's models. */
const CREATOR = /^ft-[a-z]{8}$/;
const CREATOR_LETTERS = 8;
const END_LETTERS = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Lower-case letters out of random bytes, one for each. */
const lettersOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');

/** @param entropy eight random bytes. */
export const creatorOf = (entropy: Uint8Array): string =>
  `ft-${lettersOf(entropy.subarray(0, CREATOR_LETTERS))}`;

interface NamedModel {
  readonly creator: string;
  /** The base model's id: `<creator>/<model>`. */
  readonly baseModel: string;
  readonly suffix: string | null;
  readonly at: Date;
  /** Six random bytes. */
  readonly entropy: Uint8Array;
}

/** `ft-<8 letters>/<base>-<suffix or date>-<6 letters>` */
export function modelNameOf({ creator, baseModel, suffix, at, entropy }: NamedModel): string {
  const base = baseModel.slice(baseModel.indexOf('/') + 1).replaceAll('/', '-');
  const middle = suffix ?? at.toISOString().slice(0, 10).replaceAll('-', '');
  return `${creator}/${base}-${middle}-${lettersOf(entropy.subarray(0, END_LETTERS))}`;
}

/** True where a model's name can only be that of a tuned model. The catalog has none of these names. */
export const isTunedModelName = (name: string): boolean =>
  name.startsWith('ft-') && CREATOR.test(name.slice(0, name.indexOf('/')));
