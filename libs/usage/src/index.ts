export { TIME_BOUNDS, percentileOf, timeBound } from './rules/histogram';
