export { startSimulator, type Simulator, type SimulatorOptions } from './start-simulator';
export { type Journal, type JournalCounters, type JournalEntry } from './journal';
