// The one entry to the engine. Import it dynamically: it loads the parser and the regular expressions.
export { compileAdmission, compileCondition } from './condition.ts';
export { evaluate } from './evaluate.ts';
export { explain } from './explain.ts';
