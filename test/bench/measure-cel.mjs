// CEL: five expressions as matchConditions have them, evaluated by kadmit and by the three packages on npm.
import { Environment } from '@marcbachmann/cel-js';
import { celEnv, parse as parseBuf, plan } from '@bufbuild/cel';
import { evaluate as evaluateChevrotain, parse as parseChevrotain } from 'cel-js';
import { compileCondition, evaluate } from '../../dist/cel/index.js';

const object = {
  metadata: { name: 'web-1', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas: 3,
    containers: [
      { name: 'main', image: 'registry.example.com/team/web:1.2.3' },
      { name: 'sidecar', image: 'docker.io/envoy:latest' },
    ],
  },
};
const request = { operation: 'UPDATE', userInfo: { groups: ['system:authenticated', 'developers'] } };

const expressions = [
  "request.operation in ['CREATE', 'UPDATE'] && !('system:nodes' in request.userInfo.groups)",
  "object.spec.replicas <= 5 && has(object.metadata.labels) && 'app' in object.metadata.labels",
  "object.spec.containers.all(c, c.image.startsWith('registry.') || c.image.contains('docker'))",
  "object.metadata.name.matches('^[a-z0-9-]+$') && size(object.metadata.name) < 63",
  "object.spec.containers.filter(c, c.name != 'x').map(c, c.image).exists(i, i == 'docker.io/envoy:latest')",
];

/** The other engines want 64-bit integers as bigint. */
function withBigints(value) {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
}
const bound = { object: withBigints(object), request: withBigints(request) };

/** A function that evaluates the expression; undefined when the engine cannot. */
const others = {
  '@marcbachmann/cel-js': (text) => {
    const run = new Environment().registerVariable('object', 'dyn').registerVariable('request', 'dyn').parse(text);
    return () => run(bound);
  },
  '@bufbuild/cel': (text) => {
    const run = plan(celEnv(), parseBuf(text));
    return () => run(bound);
  },
  'cel-js': (text) => {
    const { cst } = parseChevrotain(text);
    return () => evaluateChevrotain(cst, { object, request });
  },
};

function attempt(make, text) {
  try {
    const run = make(text);
    return run() === true ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Calls a second, the best of three runs of a fifth of a second. */
function rate(run) {
  const once = () => {
    const start = performance.now();
    let calls = 0;
    for (; performance.now() - start < 200; calls += 100) for (let call = 0; call < 100; call += 1) run();
    return (calls / (performance.now() - start)) * 1000;
  };
  return Math.max(once(), once(), once());
}

function ours(text) {
  const { compiled } = compileCondition(text, { stored: true });
  const variables = (name) => ({ object, request })[name];
  return () => evaluate(compiled, variables, { costLimit: 1_000_000 });
}

const thousands = (figure) => `${Math.round(figure / 1000)} k/s`;

export function measureCel() {
  return expressions.flatMap((text) => {
    const evaluations = rate(ours(text));
    const best = Object.entries(others).map(([name, make]) => {
      const run = attempt(make, text);
      return [name, run === undefined ? 0 : rate(run)];
    });
    const [name, figure] = best.toSorted(([, a], [, b]) => b - a)[0];
    const compilations = rate(() => compileCondition(text, { stored: true }));
    return [
      {
        what: `cel ${text.slice(0, 40)} …`,
        figure: thousands(evaluations),
        goal: `${thousands(figure)} (${name})`,
        met: evaluations > figure,
      },
      { what: '    parse, check and plan', figure: thousands(compilations) },
    ];
  });
}
