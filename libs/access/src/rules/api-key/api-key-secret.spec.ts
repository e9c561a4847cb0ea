import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  apiKeySecretIn,
  formatApiKeySecret,
  isApiKeySecret,
  visiblePrefix,
} from './api-key-secret';

const entropy = fc.uint8Array({ minLength: API_KEY_ENTROPY_BYTES, maxLength: API_KEY_ENTROPY_BYTES });
const secret = formatApiKeySecret(new Uint8Array(API_KEY_ENTROPY_BYTES).fill(255));
const other = formatApiKeySecret(new Uint8Array(API_KEY_ENTROPY_BYTES));

describe('an API key', () => {
  it('has its prefix and 256 bits', () => {
    fc.assert(
      fc.property(entropy, (bytes) => {
        const key = formatApiKeySecret(bytes);
        expect(isApiKeySecret(key)).toBe(true);
        expect(key.startsWith('svc_sk_')).toBe(true);
        expect(Buffer.from(key.slice('svc_sk_'.length), 'base64url')).toEqual(Buffer.from(bytes));
      }),
    );
    expect(API_KEY_ENTROPY_BYTES * 8).toBe(256);
  });

  it('shows its first 15 characters', () => {
    expect(visiblePrefix(secret)).toBe('svc_sk_________');
    expect(visiblePrefix(secret)).toHaveLength(15);
  });

  it('is stored as its SHA-256', () => {
    expect(apiKeyHash(secret)).toEqual(createHash('sha256').update(secret, 'utf8').digest());
    expect(apiKeyHash(secret)).not.toEqual(apiKeyHash(other));
  });

  it.each([
    ['nothing', ''],
    ['its mark alone', 'svc_sk_'],
    ['another mark', secret.replace('svc_sk_', 'sk-')],
    ['a character outside base64url', `${secret}+`],
    ['a line break at its end', `${secret}\n`],
    ['more than any key has', `svc_sk_${'a'.repeat(129)}`],
  ])('is not %s', (_, text) => {
    expect(isApiKeySecret(text)).toBe(false);
  });
});

describe('the credential of a call', () => {
  it.each([
    ['as OpenAI’s SDK and Anthropic’s from 1.0 on send it', { authorization: `Bearer ${secret}` }],
    ['as earlier SDKs of Anthropic send it', { 'x-api-key': secret }],
    ['with a scheme in other letters', { authorization: `bearer  ${secret}` }],
    ['when both carry the same', { authorization: `Bearer ${secret}`, 'x-api-key': secret }],
    ['from x-api-key beside another scheme', { authorization: 'Basic dXNlcjpw', 'x-api-key': secret }],
    ['from x-api-key beside a vendor’s', { authorization: 'Bearer sk-ant-oat01-a', 'x-api-key': secret }],
    ['from x-api-key beside a token', { authorization: 'Bearer a.b.c', 'x-api-key': secret }],
    ['from x-api-key beside nothing', { authorization: '', 'x-api-key': secret }],
    ['from Authorization beside a vendor’s', { authorization: `Bearer ${secret}`, 'x-api-key': 'sk-ant-a' }],
  ])('is found %s', (_, headers) => {
    expect(apiKeySecretIn(headers)).toBe(secret);
  });

  it.each([
    ['there is no header', {}],
    ['the header is empty', { authorization: '', 'x-api-key': '' }],
    ['the scheme is missing', { authorization: secret }],
    ['it is no key of ours', { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.c2ln' }],
    ['something follows the key', { authorization: `Bearer ${secret} ${other}` }],
    ['two differ', { authorization: `Bearer ${secret}`, 'x-api-key': other }],
    ['it is sent twice', { 'x-api-key': [secret, secret] }],
  ])('is none when %s', (_, headers) => {
    expect(apiKeySecretIn(headers)).toBeNull();
  });
});
