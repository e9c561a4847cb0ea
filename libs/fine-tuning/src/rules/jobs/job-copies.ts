export type FilePurpose = 'training' | 'validation';

/** The name of a job's copy of a file at the provider. It carries our id, so that it is found after a kill. */
export const copyNameOf = (jobId: string, purpose: FilePurpose): string => `${jobId}-${purpose}.jsonl`;

interface KnownNames {
  readonly jobId: string;
  readonly modelName: string;
  readonly trainingFileId: string;
  readonly validationFileId: string | null;
  readonly upstreamJob: string | null;
  readonly upstreamModel: string | null;
  readonly upstreamTrainingFile: string | null;
  readonly upstreamValidationFile: string | null;
}

const TOLD_MAX = 2_000;

/** A message of the provider with our names in place of its own, cut to what is kept. */
export function retold(message: string, names: KnownNames): string {
  const pairs: readonly (readonly [string | null, string])[] = [
    [names.upstreamModel, names.modelName],
    [names.upstreamJob, names.jobId],
    [names.upstreamTrainingFile, names.trainingFileId],
    [names.upstreamValidationFile, names.validationFileId ?? names.trainingFileId],
  ];
  let text = message;
  for (const [theirs, ours] of pairs)
    if (theirs !== null && theirs !== '') text = text.replaceAll(theirs, ours);
  return text.slice(0, TOLD_MAX);
}
