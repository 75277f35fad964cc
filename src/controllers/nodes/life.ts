// What makes Pods live, in one piece that is loaded only where somebody asks for it.
export { loadStages } from './load-stages.ts';
export { playStages } from './play-stages.ts';
export { standIn } from './stand-in.ts';
