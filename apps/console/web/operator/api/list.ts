import { type Checked, type CheckedQuery } from '../../api/list';
import { declareList, type Filters, type List } from '../../browser/list';
import { type ReadPath, type ReadQuery } from './use-api';

/** The filters of a list of the operator; its parameters are checked as those of an organization's lists. */
export const listOf = <P extends ReadPath, const F extends Filters>(
  _path: P,
  filters: F & Checked<ReadQuery<P>, F>,
): List<F, CheckedQuery<ReadQuery<P>, F>> => declareList(filters);
