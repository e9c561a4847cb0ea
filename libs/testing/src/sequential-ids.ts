import { formatId, ID_ENTROPY_BYTES, type NewId } from '@svc/kernel';

/** Valid ids, the same in every run, each greater than the previous one. */
export function sequentialIds(): NewId {
  let made = 0;
  return (kind) => formatId(kind, ++made, new Uint8Array(ID_ENTROPY_BYTES));
}
