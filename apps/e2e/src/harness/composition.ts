import { isSeparate } from './config';

/** For specs about the all-in-one process itself: its start, its output, its embedded database. */
export const describeEmbedded = isSeparate ? describe.skip : describe;
