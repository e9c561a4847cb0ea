import { LookupCache } from './lookup-cache';

/** A lookup that answers when the test says so. */
class SlowLookup {
  times = 0;
  private answers: ((answer: string) => void)[] = [];
  readonly find = (): Promise<string> => {
    this.times++;
    return new Promise((resolve) => this.answers.push(resolve));
  };
  answer(answer: string): void {
    this.answers.shift()!(answer);
  }
}

const invalidations: [string, (cache: LookupCache<string>) => void][] = [
  ['invalidated', (cache) => cache.invalidate('key')],
  ['invalidated with all', (cache) => cache.invalidateAll()],
];

let cache: LookupCache<string>;
let lookup: SlowLookup;
const ask = () => cache.get('key', lookup.find);
beforeEach(() => {
  cache = new LookupCache(10);
  lookup = new SlowLookup();
});

describe('a cached value', () => {
  it('is looked up once, however many ask for it, and then cached', async () => {
    const asked = [ask(), ask(), ask()];
    lookup.answer('old');
    expect(await Promise.all(asked)).toEqual(['old', 'old', 'old']);
    expect(await ask()).toBe('old');
    expect(lookup.times).toBe(1);
  });

  it('is looked up again after it was invalidated', async () => {
    const first = ask();
    lookup.answer('old');
    await first;
    cache.invalidate('key');
    const second = ask();
    lookup.answer('new');
    expect(await second).toBe('new');
  });

  it('is invalidated alone, or with all', async () => {
    const lookUp = (answer: string) =>
      Promise.all(['a', 'b'].map((key) => cache.get(key, () => Promise.resolve(answer))));
    await lookUp('old');
    cache.invalidate('a');
    expect(await lookUp('new')).toEqual(['new', 'old']);
    cache.invalidateAll();
    expect(await lookUp('newest')).toEqual(['newest', 'newest']);
  });

  it('whose lookup failed is looked up again', async () => {
    await expect(
      cache.get('key', () => Promise.reject(new Error('Connection terminated unexpectedly'))),
    ).rejects.toThrow('cannot be reached');
    expect(await cache.get('key', () => Promise.resolve('there'))).toBe('there');
  });
});

describe.each(invalidations)('a lookup in flight that is %s', (_, invalidate) => {
  it('answers its waiting callers, but no later ones', async () => {
    const before = ask();
    invalidate(cache);
    const after = ask();
    lookup.answer('old');
    expect(await before).toBe('old');
    lookup.answer('new');
    expect(await after).toBe('new');
    expect(await ask()).toBe('new');
    expect(lookup.times).toBe(2);
  });

  it('is not cached when it answers last', async () => {
    const before = ask();
    invalidate(cache);
    const after = cache.get('key', () => Promise.resolve('new'));
    await after;
    lookup.answer('old');
    await before;
    expect(await ask()).toBe('new');
  });
});
