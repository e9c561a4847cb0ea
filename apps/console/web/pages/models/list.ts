import { text, whole } from '../../browser/address';
import { choice, declareList, word, yesNo, type ListSearch } from '../../browser/list';
import { operations } from '../../calls/operations';

/** Models that can be called. The catalog is read whole, and filtered in the browser. */
export const modelList = declareList({
  q: word(text),
  provider: word(text),
  route: choice(operations),
  /** The least context window, in tokens. */
  context: word(whole(1)),
  eligible: yesNo(),
});

export type ModelFilter = ListSearch<typeof modelList.filters>;
