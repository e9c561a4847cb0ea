import { upstreamRequestIdIn } from './upstream-request-id';

describe('the request id of a provider', () => {
  it.each(['request-id', 'x-request-id', 'apim-request-id', 'x-ms-request-id', 'x-amzn-requestid', 'cf-ray'])(
    'is read from %s',
    (name) => {
      expect(upstreamRequestIdIn({ [name]: 'req_1' })).toBe('req_1');
    },
  );

  it('is the provider’s own before one of the network in front of it', () => {
    expect(upstreamRequestIdIn({ 'cf-ray': 'ray', 'x-request-id': 'x', 'request-id': 'own' })).toBe('own');
  });

  it.each([
    ['longer than 200 characters', 'r'.repeat(201)],
    ['empty', ''],
    ['with a space', 'req 1'],
    ['with a character beyond ASCII', 'r\u00e9q'],
    ['given twice', ['one', 'two']],
  ])('is none when %s, and the next header is looked at', (_, given) => {
    expect(upstreamRequestIdIn({ 'request-id': given })).toBeNull();
    expect(upstreamRequestIdIn({ 'request-id': given, 'cf-ray': 'ray' })).toBe('ray');
  });

  it('is null when there is none', () => {
    expect(upstreamRequestIdIn({})).toBeNull();
  });
});
