import { z } from 'zod';
import { id } from '../fields';
import { answerHeaders } from '../document/answer-headers';
import { jsonAnswer } from '../document/described-answers';
import { type DocumentedRoutes } from '../document/documented-routes';
import { errorAnswers } from '../document/error-answers';
import { deletedFile, fileList, fileListQuery, newFile, trainingFile } from './file-bodies';
import { errors, reads, TAG, writes } from './parts';

const path = z.object({ file_id: id('file') });

/** An invalid request, by its code and form. */
const tooLarge = {
  ...errorAnswers(['invalidRequest'])['400'],
  id: 'fileTooLarge',
  description: '`invalid_request`: the file is larger than this installation takes; `param` is `file`',
};

/** The document's descriptions of the routes of files below `/v1`, which the management service serves. */
export const fileRoutes: DocumentedRoutes = {
  tags: [
    {
      name: TAG,
      description: 'Files to train models with, for the SDK of OpenAI: only its base URL changes.',
    },
  ],
  paths: {
    '/v1/files': {
      post: {
        operationId: 'createFile',
        tags: [TAG],
        summary: 'Uploads a training file.',
        description:
          'It is checked line by line while it is stored, and is refused with the lines that are wrong. A file above the limit ' +
          'of this installation is answered with status 413.',
        security: writes,
        requestBody: { required: true, content: { 'multipart/form-data': { schema: newFile } } },
        responses: {
          '200': jsonAnswer('The file.', trainingFile),
          ...errors('invalidTrainingFile', 'conflict', 'unsupportedContentEncoding'),
          '413': tooLarge,
        },
      },
      get: {
        operationId: 'listFiles',
        tags: [TAG],
        summary: 'The files, newest first.',
        description: 'A project’s key sees those that keys of its project uploaded.',
        security: reads,
        requestParams: { query: fileListQuery },
        responses: { '200': jsonAnswer('A page of them.', fileList), ...errors() },
      },
    },
    '/v1/files/{file_id}': {
      get: {
        operationId: 'getFile',
        tags: [TAG],
        summary: 'One file.',
        security: reads,
        requestParams: { path },
        responses: { '200': jsonAnswer('The file.', trainingFile), ...errors('notFound') },
      },
      delete: {
        operationId: 'deleteFile',
        tags: [TAG],
        summary: 'Deletes a file.',
        security: writes,
        requestParams: { path },
        responses: { '200': jsonAnswer('It is deleted.', deletedFile), ...errors('notFound', 'conflict') },
      },
    },
    '/v1/files/{file_id}/content': {
      get: {
        operationId: 'getFileContent',
        tags: [TAG],
        summary: 'The file as it was uploaded.',
        security: writes,
        requestParams: { path },
        responses: {
          '200': {
            description: 'The lines.',
            headers: z.object(answerHeaders),
            content: { 'application/jsonl': { schema: z.string(), example: '{"messages":[]}\n' } },
          },
          ...errors('notFound'),
        },
      },
    },
  },
};
