export { corpus } from './text-corpus';
