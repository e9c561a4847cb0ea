export { callMinute, histogramOf } from './call-minute';
