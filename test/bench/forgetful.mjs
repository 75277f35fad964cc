// node --import …/forgetful.mjs: a data directory that says a write is done before it is. For showing that restarts.mjs notices.
import { ClassicLevel } from 'classic-level';

const batch = Reflect.get(ClassicLevel.prototype, 'batch');
ClassicLevel.prototype.batch = function (...args) {
  setTimeout(() => Reflect.apply(batch, this, args).catch(() => {}), 20);
  return Promise.resolve();
};
