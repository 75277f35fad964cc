import { startWorker } from './worker-client.ts';
import '../style.css';
import './playground.css';

// The core loads while the page does.
const worker = startWorker();
const { renderPlayground } = await import('./playground.tsx');
renderPlayground(worker);
