import { createHash } from 'node:crypto';

/** A script and the digest that Redis knows it by, once it has seen its text. */
export interface LuaScript {
  readonly text: string;
  readonly sha1: string;
}

export const luaScript = (text: string): LuaScript => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});
