import { Refusal } from '../refusal';

interface Listed {
  readonly id: string;
}

/** A page in OpenAI's form: `limit` of them after the one whose id is `after`. @throws Refusal 400 for an unknown one. */
export function cursorPage<T extends Listed>(all: readonly T[], query: URLSearchParams, limit = 20): object {
  const after = query.get('after');
  const before = after === null ? -1 : all.findLastIndex(({ id }) => id === after);
  if (after !== null && before === -1)
    throw new Refusal(400, `No such object: '${after}'.`, { param: 'after' });
  const size = Number(query.get('limit') ?? limit);
  const data = all.slice(before + 1, before + 1 + size);
  return {
    object: 'list',
    data,
    has_more: before + 1 + size < all.length,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}
