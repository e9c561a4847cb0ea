/** Of one line, without its end. */
export const LINE_BYTES_MAX = 1024 * 1024;
/** Of one file. */
export const LINES_MIN = 10;
/** A file is not read on after so many faults. */
export const FAULTS_MAX = 20;
