// node --import …/acknowledge-early.mjs: a data directory that acknowledges a write before it is done, to show that restarts.mjs detects it.
import { ClassicLevel } from 'classic-level';

const batch = Reflect.get(ClassicLevel.prototype, 'batch');
ClassicLevel.prototype.batch = function (...args) {
  setTimeout(() => Reflect.apply(batch, this, args).catch(() => {}), 20);
  return Promise.resolve();
};
