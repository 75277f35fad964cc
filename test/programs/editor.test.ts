import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findScenarios } from '../../src/testing/scenario/find-scenarios.ts';
import {
  findYamlLanguageServer,
  startYamlLanguageServer,
  type YamlLanguageServer,
} from '../harness/yaml-language-server.ts';

// What VS Code and other editors show of scenarios: the language server of the YAML extension, with the published schema.
const program = findYamlLanguageServer();

const schema = '# yaml-language-server: $schema=../docs/reference/scenario.schema.json\n';
let count = 0;

describe.skipIf(program === undefined)('scenarios in an editor', () => {
  let server: YamlLanguageServer;
  beforeAll(async () => {
    server = await startYamlLanguageServer(program ?? '');
  });
  afterAll(() => server.close());

  test.each(scenarioFiles())('nothing is underlined in %s', async (file) => {
    const problems = await server.open(file, readFileSync(file, 'utf8'));
    expect(problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  /** Opens a scenario; `¦` is the cursor. */
  async function openAt(marked: string) {
    const text = schema + marked;
    const before = text.slice(0, text.indexOf('¦')).split('\n');
    const path = `scenarios/unsaved-${(count += 1)}.yaml`;
    const problems = await server.open(path, text.replace('¦', ''));
    return { path, problems, at: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  }

  test.each([
    ['an unknown field', 'steps: [{ creat: pod.yaml }]', 'Property creat is not allowed.'],
    [
      'a value that is none of those',
      'clock: fast\nsteps: [{ get: pod/a }]',
      'Value is not accepted. Valid values: "virtual", "real".',
    ],
    ['no steps', 'name: x', 'Missing property "steps".'],
    ['a time without a unit', 'steps: [{ advance: "5" }]', 'must be a time with its unit, such as 5s, 250ms or 1m30s'],
    [
      'a selector with an unknown field',
      'webhooks: [{ name: a, objectSelector: { labels: {} } }]\nsteps: [{ get: pod/a }]',
      'Property labels is not allowed.',
    ],
    [
      'merge without patch',
      'steps: [{ get: pod/a, merge: {} }]',
      'Object is missing property patch required by property merge.',
    ],
  ])('%s is underlined', async (_what, text, message) => {
    const { problems } = await openAt(`${text}¦`);
    expect(problems.map((one) => one.message)).toEqual([message]);
  });

  test.each([
    ['ste¦ps: [{ get: pod/a }]', 'What is done, one after the other'],
    ['steps:\n  - cre¦ate: pod.yaml', 'Creates an object.'],
    ['steps:\n  - create: pod.yaml\n    expect:\n      denied¦By: a', 'Who refused it'],
    [
      'steps:\n  - create: pod.yaml\n    expect:\n      webhooks:\n        a: { skip¦ped: exempt }',
      'It was not called',
    ],
    ['webhooks:\n  - name: a\n    faults:\n      - status: { bo¦dy: x, code: 503 }', 'The body of the answer.'],
    ['webhooks:\n  - name: a\n    namespaceSelector: { match¦Labels: { a: b } }', 'Labels with these values'],
    ['webhooks:\n  - name: a\n    does:\n      patch: [{ op: add, pa¦th: /a, value: 1 }]', 'Where: a JSON Pointer'],
  ])('hover at %j', async (text, shown) => {
    const { path, at } = await openAt(text);
    expect(await server.hover(path, at)).toContain(shown);
  });

  test.each([
    ['¦', ['steps', 'webhooks', 'load', 'server', 'matrix']],
    ['steps:\n  - ¦', ['create', 'patch', 'expect', 'as']],
    ['clock: ¦', ['virtual', 'real']],
    ['steps:\n  - create: a.yaml\n    expect:\n      ¦', ['outcome', 'deniedBy', 'message', 'webhooks']],
    ['steps:\n  - create: a.yaml\n    expect: ¦', ['admitted', 'refused']],
    ['webhooks:\n  - name: a\n    failurePolicy: ¦', ['Fail', 'Ignore']],
    ['webhooks:\n  - name: a\n    does: ¦', ['allow', 'deny', 'echo']],
    ['webhooks:\n  - name: a\n    faults: ¦', ['hang', 'refuse']],
    ['webhooks:\n  - name: a\n    objectSelector:\n      ¦', ['matchLabels', 'matchExpressions']],
    ['steps:\n  - create: a.yaml\n    expect:\n      webhooks:\n        a: ¦', ['called', 'skipped']],
  ])('completion at %j', async (text, labels) => {
    const { path, at } = await openAt(text);
    expect(await server.complete(path, at)).toEqual(expect.arrayContaining(labels));
  });
});

function scenarioFiles(): readonly string[] {
  const found = findScenarios(['scenarios']);
  return found.outcome === 'found' ? found.files : [];
}
