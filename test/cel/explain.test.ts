import { expect, test } from 'vitest';
import { compileCondition, explainValues } from '../../src/cel/index.ts';
import type { Value } from '../../src/cel/value/value.ts';

const object: Value = { metadata: { labels: { run: 'no' } }, spec: { replicas: 3, containers: [{ image: 'a' }] } };

const facts: readonly [fact: string, expression: string, parts: readonly string[]][] = [
  ['a field shows its value', "object.metadata.labels.run == 'yes'", ['object.metadata.labels.run = "no"']],
  ['a key in brackets too', "object.metadata.labels['run'] == 'yes'", ['object.metadata.labels["run"] = "no"']],
  ['each path is shown once', 'object.spec.replicas > 3 || object.spec.replicas < 1', ['object.spec.replicas = 3']],
  ['what was not reached is not shown', 'object.spec.replicas > 1 || object.spec.x > 1', ['object.spec.replicas = 3']],
  ['a missing key shows the complaint', 'object.spec.size.x > 1', ['object.spec.size = no such key: size']],
  ['presence is true or false', 'has(object.spec.size)', ['has(object.spec.size) = false']],
  [
    'a loop shows its range',
    "object.spec.containers.all(c, c.image == 'b')",
    ['object.spec.containers = [{"image": "a"}]'],
  ],
];

test.each(facts)('%s', (_fact, expression, parts) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const found = explainValues(compilation.compiled, (name) => (name === 'object' ? object : undefined));
  expect(found.map(({ expression: part, value }) => `${part} = ${value}`)).toEqual(parts);
});
