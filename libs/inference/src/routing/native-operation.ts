import { type Operation } from '@svc/protocol';

import { type ProviderProtocol } from '../catalog/catalog';

/** The route whose calls a provider takes as they are. */
export const nativeOperation: Readonly<Record<ProviderProtocol, Operation>> = {
  openai: 'chat_completions',
  anthropic: 'messages',
};
