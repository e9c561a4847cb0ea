import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { exitOf, outputOf, spawnPython } from '../../harness/app-process';
import {
  type ClientSettings,
  type Failure,
  type MatrixClient,
  type Question,
  type Reply,
  type ToolUse,
  type Way,
} from '../matrix-client';

const PROGRAM = join('apps', 'e2e', 'python', 'main.py');

type Command = 'answer' | 'stream' | 'models' | 'count_tokens' | 'embed';

interface PythonAnswer extends Reply {
  readonly toolInputs: readonly unknown[];
}

interface Line {
  readonly id: number;
  readonly piece?: string;
  readonly result?: unknown;
  readonly failure?: Failure;
}

interface Waiting {
  readonly onPiece: ((piece: string) => void) | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An error that the library raised; `told` is what its user could read from it. */
class PythonFailure extends Error {
  constructor(readonly told: Failure) {
    super(told.message);
  }
}

/** A Python process that has loaded one client library. */
class PythonProgram {
  private readonly child: ReturnType<typeof spawnPython>;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  constructor(module: string) {
    this.child = spawnPython([PROGRAM, module]);
    const output = outputOf(this.child, ['stderr']);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.onLine(JSON.parse(line) as Line);
    });
    this.child.on('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error(`${module} ended: ${output.text}`));
    });
  }

  call(
    what: Command,
    question: object,
    onPiece?: (piece: string) => void,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const id = ++this.count;
    signal?.addEventListener('abort', () => {
      this.tell({ id, what: 'abort' });
    });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { onPiece, resolve, reject });
      this.tell({ id, what, question });
    });
  }

  async stop(): Promise<void> {
    await exitOf(this.child, 'SIGKILL');
  }

  private tell(command: object): void {
    this.child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  private onLine({ id, piece, result, failure }: Line): void {
    const waiting = this.waiting.get(id);
    if (piece !== undefined) return waiting?.onPiece?.(piece);
    this.waiting.delete(id);
    if (failure !== undefined) waiting?.reject(new PythonFailure(failure));
    else waiting?.resolve(result);
  }
}

const programs = new Map<string, PythonProgram>();

/** Ends the processes of all clients. */
export async function stopPythonClients(): Promise<void> {
  await Promise.all([...programs.values()].map((program) => program.stop()));
  programs.clear();
}

export class PythonClient implements MatrixClient {
  constructor(
    /** Of `apps/e2e/python/clients`. */
    private readonly module: string,
    private readonly settings: ClientSettings,
  ) {}

  ask(question: Question): Promise<Reply> {
    return this.answer('ask', question);
  }

  stream(question: Question, onPiece?: (text: string) => void): Promise<Reply> {
    return this.answer('stream', question, onPiece);
  }

  async useTool(question: Question, way: Way): Promise<ToolUse> {
    const { toolInputs, text } = await this.answer(way, { ...question, offersTool: true });
    return { inputs: toolInputs, text };
  }

  async models(): Promise<readonly string[]> {
    return (await this.program.call('models', this.settings)) as string[];
  }

  async countTokens(question: Question): Promise<number> {
    return (await this.program.call('count_tokens', this.told(question))) as number;
  }

  failureOf(thrown: unknown): Failure {
    if (!(thrown instanceof PythonFailure) || typeof thrown.told.status !== 'number') throw thrown;
    return thrown.told;
  }

  private async answer(
    way: Way,
    question: Question,
    onPiece?: (text: string) => void,
  ): Promise<PythonAnswer> {
    const what = way === 'ask' ? 'answer' : 'stream';
    return (await this.program.call(what, this.told(question), onPiece, question.signal)) as PythonAnswer;
  }

  private told({ picture, signal: _signal, ...question }: Question): object {
    return { ...this.settings, ...question, ...(picture && { picture: picture.toString('base64') }) };
  }

  private get program(): PythonProgram {
    return programOf(this.module);
  }
}

/** The part of a library that makes embeddings. */
export class PythonEmbeddings {
  constructor(
    private readonly module: string,
    private readonly settings: ClientSettings,
  ) {}

  async embed(question: object): Promise<readonly (readonly number[])[]> {
    return (await programOf(this.module).call('embed', { ...this.settings, ...question })) as number[][];
  }
}

/** One process a library serves all its clients: most libraries load for seconds. */
function programOf(module: string): PythonProgram {
  const known = programs.get(module);
  if (known !== undefined) return known;
  const started = new PythonProgram(module);
  programs.set(module, started);
  return started;
}
