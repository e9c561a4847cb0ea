import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifiers } from './verifiers';

const guide = readFileSync(join(__dirname, '../../../../../docs/reference/webhooks.md'), 'utf8');
const fences = { TypeScript: 'ts', Python: 'python', Go: 'go', Java: 'java' } as const;

it.each(verifiers)(
  'verifies in $language as the reference does, whose code is tested',
  ({ language, code }) => {
    expect(guide).toContain(`\`\`\`${fences[language]}\n${code}\`\`\``);
  },
);
