// Lints texts as if they were files of the workspace: `[{ path, text }]` on stdin, `[[ruleId, …], …]` on stdout.
import { text } from 'node:stream/consumers';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

// Without the project graph the boundary rule skips itself, and everything would pass.
await createProjectGraphAsync();
const eslint = new ESLint();
const findings = [];
for (const snippet of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(snippet.text, { filePath: snippet.path });
  findings.push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
}
process.stdout.write(JSON.stringify(findings));
