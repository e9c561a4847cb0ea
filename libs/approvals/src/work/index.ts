export { approvedCallQueue } from './approved-call-queue';
