export { ScriptedProvider } from './scripted-provider';
