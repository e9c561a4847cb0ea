import { type IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { missing } from '../body/body-fields';
import { Refusal } from '../refusal';
import { type FileFacts, LineReader } from './line-reader';

export interface Upload {
  readonly filename: string;
  readonly purpose: string;
  readonly facts: FileFacts;
}

/** Counts the file of a multipart body and drops it. @throws Refusal 400. */
export async function readUpload(incoming: IncomingMessage): Promise<Upload> {
  if (!(incoming.headers['content-type'] ?? '').startsWith('multipart/form-data'))
    throw new Refusal(400, 'The body must be multipart/form-data.');
  const form = new Busboy({ headers: incoming.headers as BusboyHeaders });
  const reader = new LineReader();
  let filename: string | undefined;
  let purpose: string | undefined;
  let failure: unknown;
  form.on('field', (name, value) => {
    if (name === 'purpose') purpose = value;
  });
  form.on('file', (_, stream, name) => {
    filename = name;
    stream.on('data', (chunk: Buffer) => {
      try {
        // The rest after a wrong directive is read on, so that the client reads the answer.
        if (failure === undefined) reader.add(chunk);
      } catch (error) {
        failure = error;
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    form.once('finish', resolve);
    form.once('error', () => {
      reject(new Refusal(400, 'The body is no valid multipart/form-data.'));
    });
    incoming.once('close', () => {
      if (!incoming.complete) reject(new Error('The client disconnected.'));
    });
    incoming.pipe(form);
  });
  if (failure !== undefined) throw failure as Error;
  if (filename === undefined) throw missing('file');
  if (purpose === undefined) throw missing('purpose');
  return { filename, purpose, facts: reader.end() };
}
