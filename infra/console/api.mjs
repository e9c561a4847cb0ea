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
