/** An upstream sent nothing for longer than its catalog entry allows. */
export class UpstreamTimeout extends Error {
  override readonly name = 'UpstreamTimeout';
  constructor(readonly phase: 'first_byte' | 'idle') {
    super(`upstream silent: ${phase}`);
  }
}
