import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from './harness/app-process';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const run = promisify(execFile);
const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');

const blocks = (language: string) =>
  Array.from(
    readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, code]) => code ?? '',
  );

describe('the README', () => {
  let svc: SharedSvc;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    svc = await sharedSvc();
    // The key that the README's reader takes from the file of secrets.
    env = { ...process.env, SVC_BASE_URL: svc.baseUrl, SVC_API_KEY: svc.apiKey, NODE_OPTIONS: '' };
  });

  it('shows curl and both SDKs', () => {
    expect(blocks('sh').filter((code) => code.includes('curl')).length).toBeGreaterThanOrEqual(2);
    expect(blocks('js').join()).toMatch(/from 'openai'[\s\S]*from '@anthropic-ai\/sdk'/);
    expect(readme).toContain('$ . .svc/first-start-secrets.env\n');
  });

  it.each(blocks('sh').map((code) => [code]))(
    'has a shell block that works as printed:\n%s',
    async (code) => {
      const { stdout } = await run('sh', ['-ec', code], { env });
      expect(stdout).toContain('simulator');
      expect(stdout).not.toContain('"error"');
    },
  );

  it.each(blocks('js').map((code) => [code]))(
    'has a JavaScript block that works as printed:\n%s',
    async (code) => {
      const args = ['--input-type=module', '--eval', code];
      const { stdout, stderr } = await run(process.execPath, args, { env, cwd: workspaceRoot });
      expect(stdout).toContain('Svc simulator');
      expect(stderr).toBe('');
    },
  );

  it('links only to files that exist', () => {
    const links = Array.from(readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(4);
    for (const path of links)
      expect(() => readFileSync(join(workspaceRoot, path, path.endsWith('/') ? '.' : ''))).not.toThrow(
        /ENOENT/,
      );
  });
});
