const [url, key, body] = process.argv.slice(1);
const answer = await fetch(url, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body,
});
process.stdout.write(`${answer.status} ${await answer.text()}\n`);
process.exit(answer.ok ? 0 : 1);
