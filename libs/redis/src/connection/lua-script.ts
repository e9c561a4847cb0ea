import { createHash } from 'node:crypto';

/** A script and the digest under which Redis caches it after its first run. */
export interface LuaScript {
  readonly text: string;
  readonly sha1: string;
}

export const luaScript = (text: string): LuaScript => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});
