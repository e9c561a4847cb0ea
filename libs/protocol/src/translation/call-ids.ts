/** The ids of an answer's tool calls. Some providers send none, or one id twice; a tool result needs one of its own. */
export class CallIds {
  readonly #given = new Set<string>();

  /**
   * The id of the next call.
   * @param sent the provider's id of it; empty when it sent none
   * @param answerId the provider's id of the answer
   */
  next(sent: string, answerId: string): string {
    const isOwn = sent !== '' && !this.#given.has(sent);
    const id = isOwn ? sent : madeId(answerId, this.#given.size);
    this.#given.add(id);
    return id;
  }
}

const madeId = (answerId: string, ordinal: number): string =>
  `call_${answerId.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${String(ordinal)}`;
