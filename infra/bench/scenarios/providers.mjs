// Calls that are translated to another protocol, or fall back to another provider.
import { chatCall, messagesCall } from '../candidates/requests.mjs';
import { saturation, variant } from './variant.mjs';

const plain = chatCall('plain');

const fallback = {
  name: 'fallback',
  title: 'Fallback: the first provider fails every other call',
  baseline: 'bare',
  ...saturation,
  variants: () => [
    variant('bare', plain, { label: 'bare proxy, nothing fails' }),
    variant('svc', plain, { name: 'svc-plain', label: 'Svc, nothing fails' }),
    variant('svc', chatCall('fallback'), { label: 'Svc, with fallback' }),
    variant('portkey', chatCall('fallback'), { label: '@portkey-ai/gateway, with fallback' }),
  ],
};

const translation = {
  name: 'translation',
  title: 'Translation between the two protocols',
  baseline: 'bare',
  ...saturation,
  variants: () => [
    variant('bare', plain, { label: 'bare proxy, no translation' }),
    variant('svc', plain, { name: 'svc-plain', label: 'Svc, no translation' }),
    variant('svc', messagesCall('plain'), { name: 'svc-to-chat', label: 'Svc, messages served by chat' }),
    variant('svc', chatCall('anthropic'), { name: 'svc-to-messages', label: 'Svc, chat served by messages' }),
    variant(
      'portkey',
      { ...chatCall('anthropic'), provider: 'anthropic' },
      { label: '@portkey-ai/gateway, chat served by messages' },
    ),
  ],
};

export const providerScenarios = [fallback, translation];
