import { Refusal } from '../refusal';
import { type FileFacts } from './line-reader';
import { type FineTuningDirective } from './fine-tuning-settings';
import { newUpstreamId } from './new-upstream-id';
import { type Upload } from './read-upload';

interface TrainingFile {
  readonly id: string;
  readonly filename: string;
  readonly createdAtMs: number;
  readonly facts: FileFacts;
}

/** https://developers.openai.com/api/reference/resources/files, newest first. */
export class TrainingFiles {
  private readonly files = new Map<string, TrainingFile>();

  /** @throws Refusal for a file that is to be refused. */
  add({ filename, purpose, facts }: Upload, settings: FineTuningDirective, nowMs: number): TrainingFile {
    if (purpose !== 'fine-tune') {
      throw new Refusal(400, `'${purpose}' is not one of ['fine-tune'].`, { param: 'purpose' });
    }
    if ({ ...settings, ...facts.directive }.file === 'refused') {
      throw new Refusal(400, 'Invalid file format.', { param: 'file', code: 'invalid_file_format' });
    }
    const file = { id: newUpstreamId('file-'), filename, createdAtMs: nowMs, facts };
    this.files.set(file.id, file);
    return file;
  }

  list(): readonly TrainingFile[] {
    return [...this.files.values()].reverse();
  }

  find(id: string): TrainingFile | undefined {
    return this.files.get(id);
  }

  /** @throws Refusal 404. */
  get(id: string): TrainingFile {
    const file = this.files.get(id);
    if (file === undefined) throw new Refusal(404, `No such File object: ${id}`, { param: 'id' });
    return file;
  }

  /** @throws Refusal 404. */
  remove(id: string): object {
    this.files.delete(this.get(id).id);
    return { id, object: 'file', deleted: true };
  }
}

export const presentFile = ({ id, filename, createdAtMs, facts }: TrainingFile) => ({
  id,
  object: 'file',
  bytes: facts.bytes,
  created_at: Math.floor(createdAtMs / 1_000),
  expires_at: null,
  filename,
  purpose: 'fine-tune',
  status: 'processed',
  status_details: null,
});
