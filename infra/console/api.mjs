/** The management API of a service, with the key of its first start: `api('POST', '/keys', {…})`. */
export const apiOf = ({ base_url, api_key }) => callsBelow(`${base_url}/api/v1`, api_key);

/** The operator's API of a service: `operator('POST', '/incidents', {…})`. */
export const operatorOf = ({ base_url, platform_token }) =>
  callsBelow(`${base_url}/platform/v1`, platform_token);

const callsBelow = (url, token) => async (method, path, body) => {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
};

/** Uploads a file of examples to a service: its lines become the file's. */
export const uploadOf =
  ({ base_url, api_key }) =>
  async (name, examples) => {
    const form = new FormData();
    form.set('purpose', 'fine-tune');
    form.set('file', new Blob([examples.map((example) => `${JSON.stringify(example)}\n`).join('')]), name);
    const answer = await fetch(`${base_url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}` },
      body: form,
    });
    if (!answer.ok) throw new Error(`Uploading answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
