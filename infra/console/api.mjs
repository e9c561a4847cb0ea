/** The management API of a service, with the key of its first start: `api('POST', '/keys', {…})`. */
export const apiOf =
  ({ base_url, api_key }) =>
  async (method, path, body) => {
    const answer = await fetch(`${base_url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
