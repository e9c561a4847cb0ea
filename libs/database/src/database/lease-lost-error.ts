/** Another worker has the work meanwhile. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
