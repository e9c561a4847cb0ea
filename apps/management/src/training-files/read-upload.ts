import { type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { GatewayError } from '@svc/kernel';
import { UPLOAD_PACE, watchPace } from './upload-pace';

/** The fields of an upload beside its file are short. */
const LIMITS = {
  files: 2,
  fields: 8,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 20,
  headerSize: 8_192,
};
const FILE = 'file';

export interface ReadUpload<T> {
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  /** The result of reading the file. */
  readonly taken: T;
}

/** Makes something of the file while it arrives. What it does not read is not sent on by the client. */
type TakeFile<T> = (file: AsyncIterable<Buffer>) => Promise<T>;

/**
 * Reads a form with one file, `file`, piece by piece.
 * @throws what `take` throws; GatewayError `invalidRequest` for what is no such form, or was cut off, or is too slow. `take` has ended by then.
 */
export async function readUpload<T>(
  incoming: IncomingMessage,
  take: TakeFile<T>,
  pace = UPLOAD_PACE,
): Promise<ReadUpload<T>> {
  const form = openForm(incoming);
  const fields: Record<string, string> = {};
  let stopWatching = (): void => undefined;
  let file: { readonly stream: Readable; readonly name: string; readonly taken: Promise<T> } | null = null;
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('field', (name, value, nameCut, valueCut) => {
        if (nameCut || valueCut) reject(badForm('A field of the form is too long.'));
        fields[name] = value;
      });
      form.on('file', (name: string, stream: BusboyFileStream, filename: string) => {
        if (name !== FILE || file !== null) {
          stream.resume();
          reject(badForm('The form must have one file, in the field file.', FILE));
          return;
        }
        // It is destroyed where the form fails, perhaps when nobody reads it any more.
        stream.on('error', () => undefined);
        file = { stream, name: filename, taken: take(stream) };
        file.taken.catch(reject);
      });
      form.once('fieldsLimit', () => {
        reject(badForm('The form has too many fields.'));
      });
      form.on('error', (cause) => {
        reject(unreadable(cause));
      });
      form.once('finish', resolve);
      incoming.once('close', () => {
        if (!incoming.complete) reject(unreadable(new Error('the connection was closed')));
      });
      stopWatching = watchPace(incoming, form, pace, reject);
      incoming.pipe(form);
    });
    const found = file as { readonly name: string; readonly taken: Promise<T> } | null;
    if (found === null) throw badForm('The form must have one file, in the field file.', FILE);
    return { fields, filename: found.name, taken: await found.taken };
  } catch (error) {
    incoming.unpipe(form);
    const begun = file as { readonly stream: Readable; readonly taken: Promise<T> } | null;
    begun?.stream.destroy(error instanceof Error ? error : new Error('the upload has failed'));
    await begun?.taken.catch(() => undefined);
    throw error;
  } finally {
    stopWatching();
  }
}

function openForm({ headers }: IncomingMessage) {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw badForm('The body must be multipart/form-data.');
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS });
  } catch (cause) {
    throw unreadable(cause);
  }
}

const badForm = (message: string, param?: string): GatewayError =>
  new GatewayError('invalidRequest', message, param === undefined ? {} : { param });

const unreadable = (cause: unknown): GatewayError =>
  new GatewayError('invalidRequest', 'The form could not be read to its end.', { cause });
