import { BelievedAnswers } from './believed-answers';

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

const forgettings: [string, (answers: BelievedAnswers<string>) => void][] = [
  ['forgotten', (answers) => answers.forget('key')],
  ['forgotten with all', (answers) => answers.forgetAll()],
];

let answers: BelievedAnswers<string>;
let lookup: SlowLookup;
const ask = () => answers.of('key', lookup.find);
beforeEach(() => {
  answers = new BelievedAnswers(10);
  lookup = new SlowLookup();
});

describe('an answer', () => {
  it('is asked for once, however many want it, and then believed', async () => {
    const asked = [ask(), ask(), ask()];
    lookup.answer('old');
    expect(await Promise.all(asked)).toEqual(['old', 'old', 'old']);
    expect(await ask()).toBe('old');
    expect(lookup.times).toBe(1);
  });

  it('is asked for again after it was forgotten', async () => {
    const first = ask();
    lookup.answer('old');
    await first;
    answers.forget('key');
    const second = ask();
    lookup.answer('new');
    expect(await second).toBe('new');
  });

  it('is forgotten alone, or with all', async () => {
    const lookUp = (answer: string) =>
      Promise.all(['a', 'b'].map((key) => answers.of(key, () => Promise.resolve(answer))));
    await lookUp('old');
    answers.forget('a');
    expect(await lookUp('new')).toEqual(['new', 'old']);
    answers.forgetAll();
    expect(await lookUp('newest')).toEqual(['newest', 'newest']);
  });

  it('that could not be had is asked for again', async () => {
    await expect(answers.of('key', () => Promise.reject(new Error('away')))).rejects.toThrow(
      'cannot be reached',
    );
    expect(await answers.of('key', () => Promise.resolve('there'))).toBe('there');
  });
});

describe.each(forgettings)('a lookup under way that is %s', (_, forget) => {
  it('answers those who wait for it, but neither those who ask from then on nor those after them', async () => {
    const before = ask();
    forget(answers);
    const after = ask();
    lookup.answer('old');
    expect(await before).toBe('old');
    lookup.answer('new');
    expect(await after).toBe('new');
    expect(await ask()).toBe('new');
    expect(lookup.times).toBe(2);
  });

  it('is not believed when it answers last', async () => {
    const before = ask();
    forget(answers);
    const after = answers.of('key', () => Promise.resolve('new'));
    await after;
    lookup.answer('old');
    await before;
    expect(await ask()).toBe('new');
  });
});
