import { List, Resource, type Call } from '@svc/api';
import { TrainingFileStore } from '@svc/fine-tuning/store';
import { type Collection } from '../collection';
import { managedFile, presentManagedFile } from './file-schema';
import { FilesController } from './files.controller';
import { MultipartBodies } from './multipart-bodies';
import { TrainingFiles } from './training-files';

@Resource({
  path: 'fine-tuning/files',
  one: 'TrainingFile',
  many: 'TrainingFiles',
  tag: 'Fine-tuning',
  description: 'Files to train models with. They are uploaded and deleted below `/v1/files`.',
})
class TrainingFilesController {
  constructor(private readonly files: TrainingFiles) {}

  @List('', {
    summary: 'The training files, newest first.',
    description: 'A project’s key sees those that keys of its project uploaded.',
    permission: 'fine_tuning:read',
    scope: null,
    cursor: 'file',
    item: managedFile,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.files.page(caller, page);
    return { items: items.map(presentManagedFile), hasMore };
  }
}

export const trainingFiles: Collection = {
  controllers: [TrainingFilesController, FilesController],
  services: [TrainingFiles, MultipartBodies],
  stores: [TrainingFileStore],
};
