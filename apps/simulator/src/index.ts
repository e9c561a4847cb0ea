export { startSimulator, type Simulator } from './start-simulator';
export { type Journal, type JournalEntry } from './journal';
