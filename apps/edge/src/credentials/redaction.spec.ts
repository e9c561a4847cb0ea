import { envCredential, type Provider } from '@svc/catalog';
import { redactionFor } from './redaction';

const provider: Provider = {
  name: 'acme',
  protocol: 'openai',
  baseUrl: 'http://10.0.0.7:9001/v1',
  credentialEnv: [envCredential('ACME_API_KEY')],
};
const redact = redactionFor(provider, 'sk-secret-1234567890');

describe('a provider’s message', () => {
  it.each([
    ['Bad key sk-secret-1234567890.', 'Bad key [redacted].'],
    ['sk-secret-1234567890 sk-secret-1234567890', '[redacted] [redacted]'],
    ['POST http://10.0.0.7:9001/v1/messages failed', 'POST [redacted]/messages failed'],
    ['10.0.0.7:9001 and 10.0.0.7', '[redacted] and [redacted]'],
    ['It was cut: sk-secret-123', 'It was cut: [redacted]'],
    ['max_tokens: ask for less', 'max_tokens: ask for less'],
    ['the word ends in s', 'the word ends in s'],
  ])('%p becomes %p', (message, clean) => {
    expect(redact(message)).toBe(clean);
  });

  it('loses what the catalog’s headers and query take from the environment', () => {
    const connection = {
      credentialHeader: null,
      credentialScheme: null,
      headers: [['x-gateway-key', 'gw-42']] as const,
      query: '',
      secrets: ['gw-42'],
    };
    expect(redactionFor({ ...provider, connection }, null)('gw-42 is unknown')).toBe('[redacted] is unknown');
  });

  it('loses the address when no credential was sent', () => {
    expect(redactionFor(provider, null)('10.0.0.7:9001 is busy')).toBe('[redacted] is busy');
  });
});
