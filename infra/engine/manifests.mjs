import { parseAllDocuments } from 'yaml';

/** @returns the objects of a file of manifests. */
export const manifestsIn = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
