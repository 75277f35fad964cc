// node test/bench/cel.mjs, after npm run build: CEL beside the packages on npm, and what the engine takes.
import { measureCelFootprint } from './measure-cel-footprint.mjs';
import { measureCel } from './measure-cel.mjs';
import { tableOf } from './table.mjs';

console.log(tableOf([...measureCel(), ...measureCelFootprint()]));
