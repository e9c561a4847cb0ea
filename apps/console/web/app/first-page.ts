/**
 * The parts that every first page has, whichever page it is: in the first file, so that the overview needs no file of lists. Only for
 * how the build divides the code (`vite.config.ts`).
 */
import '../calls/credit-advice';
import '../calls/days-left';
import '../calls/outcome-words';
import '../ui/fields/select';
import '../ui/states/result';
import '../ui/text/money';
