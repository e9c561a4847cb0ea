import { useOriginForm } from './request-target';

const read = (url: string) => {
  const incoming = { url, headers: { host: 'header' } };
  useOriginForm(incoming);
  return [incoming.url, incoming.headers.host];
};

describe('a request target', () => {
  it.each([
    ['http://svc.example/v1/models?limit=1', '/v1/models?limit=1', 'svc.example'],
    ['HTTPS://svc.example:8443/v1/a//b', '/v1/a//b', 'svc.example:8443'],
    ['http://svc.example', '/', 'svc.example'],
    ['http://svc.example?a=/b', '/?a=/b', 'svc.example'],
    ['http://user:word@svc.example/x', '/x', 'svc.example'],
    ['http://[::1]:80/x', '/x', '[::1]:80'],
  ])('in absolute form is as the usual one, and its host counts: %s', (url, path, host) => {
    expect(read(url)).toEqual([path, host]);
  });

  it.each([
    '/v1/models',
    '/http://a/b',
    '//svc.example/x',
    '*',
    'svc.example:443',
    'ftp://a/b',
    'http:///x',
    '',
  ])('of another form stays as it is: %s', (url) => {
    expect(read(url)).toEqual([url, 'header']);
  });
});
