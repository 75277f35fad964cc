// Prints one number: the milliseconds that loading the CEL engine takes, or the bytes of a compiled expression.
const [what] = process.argv.slice(2);

const start = performance.now();
const { compileCondition } = await import('../../dist/cel/index.js');
const loaded = performance.now() - start;

const expressions = [
  (n) => `request.operation in ['CREATE', 'UPDATE'] && !('system:nodes-${n}' in request.userInfo.groups)`,
  (n) => `object.spec.replicas <= ${n} && has(object.metadata.labels) && 'app' in object.metadata.labels`,
  (n) => `object.spec.containers.all(c, c.image.startsWith('registry-${n}.') || c.image.contains('docker'))`,
  (n) => `object.metadata.name.matches('^[a-z0-9-]+-${n}$') && size(object.metadata.name) < 63`,
  (n) => `object.spec.containers.filter(c, c.name != 'x').map(c, c.image).exists(i, i == 'docker.io/envoy:${n}')`,
];
const each = 400;

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function bytesOfOne() {
  const kept = [];
  const compileAll = (offset) => {
    for (let n = 0; n < each; n += 1) {
      for (const text of expressions) kept.push(compileCondition(text(offset + n), { stored: true }));
    }
  };
  compileAll(0); // Fills the parser's own tables.
  const before = heap();
  compileAll(each);
  return (heap() - before) / (each * expressions.length);
}

console.log(what === 'size' ? bytesOfOne() : loaded);
