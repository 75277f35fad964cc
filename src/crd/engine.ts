// The one entry to custom resources. Import it dynamically: it loads the expression engine.
export { customType } from './custom-type.ts';
