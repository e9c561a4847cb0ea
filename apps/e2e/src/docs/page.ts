import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../harness/app-process';

/** A fenced block of a page. What its info string may say stands in apps/e2e/README.md. */
export interface Block {
  /** The page and the line of the fence. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
  /** Starts something that goes on: the next block is run once it has said that it is ready. */
  readonly isServer: boolean;
  /** Needs the servers of `npm run test:separate` and their own programs. */
  readonly isDistributed: boolean;
  readonly isNotRun: boolean;
  /** Why it is not run: of the comment before the fence. */
  readonly reason: string | null;
  /** The file of the page's folder that the reader is to save it as. */
  readonly file: string | null;
  /** Its output, as the block of text right behind it says; `…` stands for anything. */
  readonly output: string | null;
}

export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Not for readers who want to do something. */
const LEFT_OUT = /^(decisions|benchmarks)\//;
const FENCE = /^(?<indent> *)```(?<language>\w+)(?<info>[^\n]*)\n(?<code>[\s\S]*?)^ *```$/gm;
const REASON = /<!-- not run: ([^>]+) -->\s*$/;
const OUTPUT = /^\s*```text output\n([\s\S]*?)^ *```$/m;

export function readPages(): readonly Page[] {
  return readdirSync(join(workspaceRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !LEFT_OUT.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(workspaceRoot, 'docs', path), 'utf8');
      return { path: `docs/${path}`, text, blocks: blocksOf(`docs/${path}`, text) };
    });
}

function blocksOf(path: string, text: string): readonly Block[] {
  return Array.from(text.matchAll(FENCE), ({ index, groups, 0: whole }) => {
    const { indent = '', language = '', info = '', code = '' } = groups ?? {};
    const before = text.slice(0, index);
    const after = text.slice(index + whole.length);
    const words = info.trim().split(/\s+/);
    return {
      at: `${path}:${String(before.split('\n').length)}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      isServer: words.includes('server'),
      isDistributed: words.includes('distributed'),
      isNotRun: words.includes('not-run'),
      reason: REASON.exec(before)?.[1] ?? null,
      file: words.find((word) => word.startsWith('file='))?.slice('file='.length) ?? null,
      output: startsAtOnce(OUTPUT.exec(after)),
    };
  });
}

const startsAtOnce = (match: RegExpExecArray | null) => (match?.index === 0 ? (match[1] ?? null) : null);

/** A pattern of what is printed: these lines, one behind the other; `…` stands for anything in a line. */
export const outputPattern = (output: string): RegExp =>
  new RegExp(
    output
      .trim()
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '[^\\n]*'),
  );
