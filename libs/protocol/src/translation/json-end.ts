/** Detects the end of a JSON object or array that comes in pieces. */
export class JsonEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  push(piece: string): void {
    for (const character of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) this.#takeInString(character);
      else this.#takeOutside(character);
    }
  }

  #takeInString(character: string): void {
    if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInString = false;
  }

  #takeOutside(character: string): void {
    if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if ((character === '}' || character === ']') && --this.#depth === 0) this.#hasEnded = true;
  }
}
