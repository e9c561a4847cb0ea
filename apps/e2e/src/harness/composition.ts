import { isSeparate } from './config';

/** For what is about the one process itself: its start, its output, the database it brings along. */
export const describeEmbedded = isSeparate ? describe.skip : describe;
