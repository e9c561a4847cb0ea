import { type Operation } from '../api/use-catalog';
import { every } from '../browser/every';

/** The inference routes, in the order of menus. */
export const operations = every<Operation>()('chat_completions', 'messages', 'responses', 'embeddings');
