import { type IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { fileFields, type fileListQuery, known, validated, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { FILE_COUNT_MAX, FILES_BYTES_MAX, UPLOADS_AT_ONCE_MAX } from '@svc/fine-tuning';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { initialFields } from '@svc/database';
import {
  type TrainingFileContent,
  trainingFileKeyContext,
  trainingFileObjectKey,
  type TrainingFileRecord,
  TrainingFileStore,
} from '@svc/fine-tuning/store';
import { type Sealer } from '@svc/runtime';
import { newObjectKey, StorageError, type ObjectStore } from '@svc/storage';
import { FILE_MAX_BYTES, OBJECT_STORE, SEALER } from '../runtime';
import { readUpload, type ReadUpload } from './read-upload';
import { UploadPlaces } from './upload-places';
import { fileTooLarge, PART_BYTES, storeUpload, type StoredUpload } from './stored-upload';

/** The most bytes of a form around its file. */
const FORM_BYTES_MAX = 16 * 1024;
const PROLONG_EVERY_MS = 30_000;
const FILENAME_MAX = 255;

interface BegunUpload {
  readonly id: string;
  readonly objectKey: string;
  readonly fileKey: Buffer;
}

/** An organization's training files (docs/reference/fine-tuning.md#training-files). */
@Injectable()
export class TrainingFiles {
  private readonly places = new UploadPlaces();

  constructor(
    private readonly files: TrainingFileStore,
    private readonly mutations: Mutations,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(FILE_MAX_BYTES) private readonly maxBytes: number,
  ) {}

  /**
   * Stores the file of a form while it arrives.
   * @throws GatewayError `invalidTrainingFile`; `invalidRequest` for another form, with status 413 for a file that is too large; `conflict`
   * where the organization has too many files; `overloaded`.
   */
  async upload(caller: Caller, incoming: IncomingMessage): Promise<TrainingFileRecord> {
    const announced = Number(incoming.headers['content-length'] ?? 0);
    if (announced > this.maxBytes + FORM_BYTES_MAX) throw fileTooLarge(this.maxBytes);
    return this.places.run(caller.organizationId, () => this.uploadInPlace(caller, incoming));
  }

  list(
    { organizationId, projectId }: Caller,
    { after, limit, order, purpose = 'fine-tune' }: z.output<typeof fileListQuery>,
  ): Promise<Slice<TrainingFileRecord>> {
    if (purpose !== 'fine-tune') return Promise.resolve({ items: [], hasMore: false });
    return this.files.listFiles(organizationId, { after: after ?? null, limit, order }, projectId);
  }

  /** Newest first. */
  page({ organizationId, projectId }: Caller, { limit, before }: Page): Promise<Slice<TrainingFileRecord>> {
    return this.files.listFiles(organizationId, { after: before, limit, order: 'desc' }, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<TrainingFileRecord> {
    return known(await this.files.findFile(organizationId, id, projectId));
  }

  /** @throws GatewayError `notFound`. */
  async content({ organizationId, projectId }: Caller, id: string): Promise<TrainingFileContent> {
    return known(await this.files.findContent(organizationId, id, projectId, this.sealer));
  }

  /**
   * Deletes a file; what is stored of it goes soon after.
   * @throws GatewayError `notFound`; `conflict` for one that an open job uses.
   */
  remove(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const found = known(await this.files.lockFile(tx, caller.organizationId, id, caller.projectId));
      if (await this.files.isInUse(tx, caller.organizationId, id)) {
        throw new GatewayError('conflict', 'A fine-tuning job that has not ended uses this file.');
      }
      await audit('file.delete', id, { filename: { from: found.filename }, bytes: { from: found.bytes } });
      await this.files.removeFile(tx, id);
    });
  }

  private async uploadInPlace(caller: Caller, incoming: IncomingMessage): Promise<TrainingFileRecord> {
    const begun = await this.begin(caller);
    const alive = setInterval(() => {
      // A process that cannot say so loses the upload, which its end notices.
      this.files.prolong(begun.id).catch(() => undefined);
    }, PROLONG_EVERY_MS);
    try {
      const destination = { ...begun, store: this.store, maxBytes: this.maxBytes };
      const upload = await readUpload(incoming, (file) => storeUpload(file, destination));
      return await this.complete(caller, begun.id, upload);
    } catch (error) {
      // Where this fails, the upload's time runs out, and a worker gives it up then.
      await this.files.giveUp(begun.id).catch(() => undefined);
      throw asAnswer(error);
    } finally {
      clearInterval(alive);
    }
  }

  /** Notes what is about to be stored, so that a worker finds it after a kill. @throws GatewayError `conflict`. */
  private begin(caller: Caller): Promise<BegunUpload> {
    const { organizationId, projectId, actor } = caller;
    return this.mutations.run(caller, async ({ tx, newId }) => {
      const { count, uploading, bytes } = await this.files.lockStored(tx, organizationId);
      if (count >= FILE_COUNT_MAX) throw tooMany(`${String(FILE_COUNT_MAX)} files`);
      if (bytes >= FILES_BYTES_MAX) throw tooMany(`${String(FILES_BYTES_MAX)} bytes of files`);
      if (uploading >= UPLOADS_AT_ONCE_MAX) {
        throw new GatewayError(
          'conflict',
          `At most ${String(UPLOADS_AT_ONCE_MAX)} files of an organization are uploaded at a time.`,
        );
      }
      const id = newId('file');
      const fileKey = newObjectKey();
      const keyCiphertext = this.sealer.seal(fileKey, trainingFileKeyContext(id));
      const creator = { type: actor.type, id: actor.id ?? '' };
      const created = { id, organizationId, projectId, creator, partBytes: PART_BYTES, keyCiphertext };
      await this.files.begin(tx, created);
      return { id, fileKey, objectKey: trainingFileObjectKey({ organizationId, id }) };
    });
  }

  private complete(
    caller: Caller,
    id: string,
    { fields, filename, taken }: ReadUpload<StoredUpload>,
  ): Promise<TrainingFileRecord> {
    const { 'expires_after[seconds]': keptSeconds = null } = validated(fileFields, fields);
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const { bytes } = await this.files.lockStored(tx, caller.organizationId);
      if (bytes + taken.bytes > FILES_BYTES_MAX) throw tooMany(`${String(FILES_BYTES_MAX)} bytes of files`);
      const uploaded = { ...taken, filename: shownName(filename), keptSeconds };
      const record = await this.files.complete(tx, id, uploaded);
      if (record === null) throw new GatewayError('overloaded', 'The upload was given up: try again.');
      await audit('file.create', id, initialFields({ filename: record.filename, bytes: record.bytes }));
      return record;
    });
  }
}

const tooMany = (what: string): GatewayError =>
  new GatewayError('conflict', `An organization has at most ${what}: delete some.`);

/** A store that fails is not the caller's fault, and the next try may succeed. */
function asAnswer(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  return new GatewayError('overloaded', 'The file could not be stored: try again later.', { cause: error });
}

/** A name of one line, as lists can show it. */
function shownName(filename: string): string {
  const shown = filename
    .slice(0, FILENAME_MAX)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/gu, '')
    .trim();
  return shown === '' ? 'file' : shown;
}
