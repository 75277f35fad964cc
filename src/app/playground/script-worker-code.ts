const keptGlobals = `
  self globalThis undefined NaN Infinity console constructor
  Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Intl
  Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Iterator FinalizationRegistry
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array
  Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
  parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent
  atob btoa structuredClone queueMicrotask TextEncoder TextDecoder URL URLSearchParams
  setTimeout clearTimeout setInterval clearInterval
`
  .trim()
  .split(/\s+/);

/**
 * The code of a worker for the script at `address`, without network, storage and other workers: all globals but those of the language
 * and a few harmless ones are removed before the script is parsed. Neither `eval` nor a constructor of functions is left, so that no code
 * with `import()` can be made.
 */
export const scriptWorkerCode = (address: string): string => `'use strict';
(() => {
  const post = self.postMessage.bind(self);
  const listen = self.addEventListener.bind(self);
  const loadScript = self.importScripts.bind(self);
  const timers = [setTimeout, setInterval];
  const kept = new Set(${JSON.stringify(keptGlobals)});
  for (let scope = self; scope && scope !== Object.prototype; scope = Object.getPrototypeOf(scope)) {
    for (const name of Reflect.ownKeys(scope)) {
      if (kept.has(name) || typeof name === 'symbol') continue;
      if (!Reflect.deleteProperty(scope, name)) Reflect.defineProperty(scope, name, { value: undefined, writable: false });
    }
  }
  for (const one of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    Object.defineProperty(Object.getPrototypeOf(one), 'constructor', { value: undefined });
  }
  const withFunction = (timer) => (run, ...others) => {
    if (typeof run !== 'function') throw new TypeError('a timer needs a function');
    return timer(run, ...others);
  };
  [self.setTimeout, self.setInterval] = timers.map(withFunction);
  const refuse = () => { throw new Error('a script in a page imports nothing'); };
  const portable = (result) => { try { return structuredClone(result); } catch { return JSON.parse(JSON.stringify(result) ?? 'null'); } };
  const functionIn = (module) => [module.default, module.review].find((one) => typeof one === 'function');
  const instances = new Map();
  const load = async (instance) => {
    const module = {};
    await self.script(module, refuse, refuse);
    const run = functionIn(module);
    if (!run) throw new Error('it exports no function: write \`export default function (review) { … }\`');
    instances.set(instance, run);
  };
  listen('message', async ({ data: { call, instance, review } }) => {
    try {
      if (!instances.has(instance)) await load(instance);
      post({ call, result: review && portable(await instances.get(instance)(review)) });
    } catch (error) {
      post({ call, error: error instanceof Error ? error.message : String(error) });
    }
  });
  loadScript(${JSON.stringify(address)});
})();
`;

/** The script at that address: a function, since each instance has module variables of its own. */
export const scriptFunctionCode = (code: string): string =>
  `self.script = async function (exports, require, __import) {'use strict';\n${code}\n};`;
