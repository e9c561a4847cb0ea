import { type Operation } from '../../api/use-catalog';
import { text, whole } from '../../browser/address';
import { every } from '../../browser/every';
import { choice, declareList, word, yesNo, type ListSearch } from '../../browser/list';

/** The inference routes, in the order of the filter. */
export const operations = every<Operation>()('chat_completions', 'messages', 'responses', 'embeddings');

/** What can be called. The catalog is read whole, and filtered in the browser. */
export const modelList = declareList({
  q: word(text),
  provider: word(text),
  route: choice(operations),
  /** The least context window, in tokens. */
  context: word(whole(1)),
  eligible: yesNo(),
});

export type ModelFilter = ListSearch<typeof modelList.filters>;
