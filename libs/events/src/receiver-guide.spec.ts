import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifySignature } from './signature/signature';

interface Vectors {
  readonly body: string;
  readonly cases: readonly {
    readonly name: string;
    readonly secret: string;
    readonly header: string;
    readonly now: number;
    readonly valid: boolean;
  }[];
}

interface Language {
  readonly name: string;
  /** The language tag of its snippet in the guide. */
  readonly fence: string;
  readonly command: string;
  /** Arguments to check that the command is installed. */
  readonly probe: readonly string[];
  readonly run: readonly string[];
  /** Reads the vectors on stdin and writes the result of `verify` for each as a JSON list. */
  readonly files: (snippet: string) => Readonly<Record<string, string>>;
}

const guide = readFileSync(join(__dirname, '../../../docs/reference/webhooks.md'), 'utf8');
const blocks = (fence: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);
const vectors = JSON.parse(blocks('json')[1]!) as Vectors;

const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    fence: 'ts',
    command: process.execPath,
    probe: ['--version'],
    run: ['--experimental-strip-types', '--no-warnings', 'main.mts'],
    files: (snippet) => ({
      'main.mts': `${snippet}
        import { readFileSync } from 'node:fs';
        const { body, cases } = JSON.parse(readFileSync(0, 'utf8'));
        console.log(JSON.stringify(cases.map((c) => verify(Buffer.from(body), c.header, c.secret, c.now))));`,
    }),
  },
  {
    name: 'Python',
    fence: 'python',
    command: 'python3',
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
    run: ['main.py'],
    files: (snippet) => ({
      'main.py': `${snippet}
import json, sys
given = json.loads(sys.stdin.buffer.read())
body = given["body"].encode()
print(json.dumps([verify(body, c["header"], c["secret"], c["now"]) for c in given["cases"]]))`,
    }),
  },
  {
    name: 'Go',
    fence: 'go',
    command: 'go',
    probe: ['version'],
    run: ['run', 'verify.go', 'main.go'],
    files: (snippet) => ({
      'verify.go': snippet.replace('package webhook', 'package main'),
      'main.go': `package main
import ("encoding/json"; "os"; "time")
func main() {
  var given struct { Body string; Cases []struct { Header, Secret string; Now int64 } }
  if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil { panic(err) }
  said := []bool{}
  for _, c := range given.Cases { said = append(said, Verify([]byte(given.Body), c.Header, c.Secret, time.Unix(c.Now, 0))) }
  json.NewEncoder(os.Stdout).Encode(said)
}`,
    }),
  },
  {
    name: 'Java',
    fence: 'java',
    command: 'java',
    probe: ['--version'],
    run: ['Main.java'],
    files: (snippet) => ({
      'Main.java': snippet.replace('final class', (words) => `${javaProgram()}\n${words}`),
    }),
  },
];

/** A text of Java in the letters that every source file may have. */
const javaText = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Java reads no JSON by itself, so its program has the vectors in it. */
function javaProgram(): string {
  const calls = vectors.cases.map(
    ({ header, secret, now }) =>
      `Webhook.verify(body, ${javaText(header)}, ${javaText(secret)}, ${String(now)}L)`,
  );
  return `final class Main {
  public static void main(String[] given) throws Exception {
    byte[] body = ${javaText(vectors.body)}.getBytes("UTF-8");
    System.out.println(java.util.Arrays.toString(new boolean[] {${calls.join(', ')}}));
  }
}`;
}

function runSnippet({ fence, command, run, files }: Language): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
  try {
    for (const [file, text] of Object.entries(files(blocks(fence)[0]!)))
      writeFileSync(join(folder, file), text);
    const { stdout, stderr } = spawnSync(command, run, {
      cwd: folder,
      input: JSON.stringify(vectors),
      encoding: 'utf8',
      env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '', GO111MODULE: 'off' },
    });
    return stdout === '' ? stderr : JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the guide for receivers', () => {
  it.each(vectors.cases)('41: has a vector for $name that agrees with `verifySignature`', (vector) => {
    expect(verifySignature(vector.header, vector.secret, vectors.body, vector.now)).toBe(vector.valid);
  });

  for (const language of languages) {
    const isHere = spawnSync(language.command, language.probe).status === 0;
    (isHere ? it : it.skip)(`verifies every vector rightly in ${language.name}`, () => {
      expect(runSnippet(language)).toEqual(vectors.cases.map(({ valid }) => valid));
    });
  }
});
