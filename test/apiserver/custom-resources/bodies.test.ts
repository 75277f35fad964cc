import { expect, test } from 'vitest';
import { at } from '../../harness/world-answer.ts';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfThings } from './established.ts';

// Source: the same requests to kube-apiserver v1.36.2.

const world = await worldOfThings({ type: 'object', properties: { a: { type: 'integer' } } });
const thing = (more: string, name = 'a') =>
  `{"apiVersion":"turns.dev/v1","kind":"Thing","metadata":{"name":"${name}"},${more}}`;
await world.send('POST', things, thing('"spec":{"a":1}', 'old'), { as: adminUser });

const contentTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  patch: 'application/json-patch+json',
};

async function answer(
  type: keyof typeof contentTypes,
  fieldValidation: 'Strict' | 'Warn' | 'Ignore',
  body: string,
): Promise<readonly [code: number, message: string, warnings: readonly string[]]> {
  const method = type === 'json' || type === 'yaml' ? 'POST' : 'PATCH';
  const path = method === 'POST' ? things : `${things}/${type === 'apply' ? 'a' : 'old'}`;
  const query = `dryRun=All&fieldManager=x&fieldValidation=${fieldValidation}`;
  const contentType = contentTypes[type];
  const { code, message, warnings } = await world.send(method, `${path}?${query}`, body, {
    as: adminUser,
    contentType,
  });
  return [code, message, warnings];
}

const unrecognized = (error: string, body: string): string =>
  `the object provided is unrecognized (must be of type Thing): ${error} (${body})`;

const noText = (field: string): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .${field} of type string`;

test.each<[string, Parameters<typeof answer>, number, string]>([
  // Names match in any case when a type is looked for: apimachinery pkg/runtime/serializer/json/meta.go.
  [
    'a field beside apiVersion that differs in its case and is no text',
    ['json', 'Ignore', '{"APIVERSION":5,"apiVersion":"turns.dev/v1","kind":"Thing","metadata":{"name":"a"}}'],
    400,
    unrecognized(noText('apiVersion'), '{"APIVERSION":5,"apiVersion":" ...'),
  ],
  [
    'a field beside kind that differs in its case is unknown, as text',
    ['json', 'Strict', '{"apiVersion":"turns.dev/v1","kind":"Thing","Kind":"Other","metadata":{"name":"a"}}'],
    400,
    'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "Kind"',
  ],
  [
    'an apply with a time that is none: the server sets its own',
    ['apply', 'Strict', '{"apiVersion":"turns.dev/v1","kind":"Thing","metadata":{"name":"a","creationTimestamp":"x"}}'],
    201,
    '',
  ],
  ['an apply of nothing', ['apply', 'Strict', ''], 400, 'invalid object type: /, Kind='],
  ['an apply of null', ['apply', 'Warn', 'null'], 400, 'invalid object type: /, Kind='],
  [
    'an apply of a list',
    ['apply', 'Warn', '[]'],
    400,
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'an apply of a text',
    ['apply', 'Warn', '"a"'],
    400,
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}',
  ],
  [
    'an apply of a key given twice and an unknown field: the field counts',
    ['apply', 'Strict', thing('"spec":{"a":1,"a":2},"foo":1')],
    500,
    'failed to create typed patch object (/a; turns.dev/v1, Kind=Thing): .foo: field not declared in schema',
  ],
  [
    'an apply of a key given twice',
    ['apply', 'Strict', thing('"spec":{"a":1,"a":2}')],
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "a" already set in map',
  ],
  [
    'a key that is sent three times is reported once',
    ['json', 'Strict', thing('"spec":{"a":1,"a":2,"a":3}')],
    400,
    'Thing in version "v1" cannot be handled as a Thing: strict decoding error: duplicate field "spec.a"',
  ],
  ['no YAML at all', ['yaml', 'Strict', ''], 400, unrecognized("Object 'Kind' is missing in ''", '<empty>')],
  ['a comment', ['yaml', 'Warn', '# a'], 400, unrecognized("Object 'Kind' is missing in '# a'", '232061')],
  [
    'what is no YAML',
    ['yaml', 'Strict', 'a: b: c'],
    400,
    unrecognized('yaml: mapping values are not allowed in this context', '613a20623a2063'),
  ],
  [
    'no kind, and no validation',
    ['json', 'Ignore', '{"apiVersion":"turns.dev/v1"}'],
    400,
    `Thing in version "v1" cannot be handled as a Thing: Object 'Kind' is missing in '{"apiVersion":"turns.dev/v1"}'`,
  ],
  [
    'a patch that takes everything away',
    ['patch', 'Strict', '[{"op":"replace","path":"","value":{}}]'],
    422,
    ` "" is invalid: patch: Invalid value: "{}": Object 'Kind' is missing in '{}'`,
  ],
])('%s', async (_what, request, code, message) => {
  expect(await answer(...request)).toEqual([code, message, []]);
});

test.each(['{"kind":null}', '{"kind":""}'])('a merge of %s leaves no kind', async (body) => {
  const [code, message] = await answer('merge', 'Warn', body);
  expect(code).toBe(422);
  expect(message).toContain(`: Object 'Kind' is missing in '{"apiVersion":"turns.dev/v1",`);
});

test('owners that a patch repeats go, with a warning', async () => {
  const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
  const [code, , warnings] = await answer(
    'merge',
    'Warn',
    JSON.stringify({ metadata: { ownerReferences: [owner, owner] } }),
  );
  expect(code).toBe(200);
  expect(warnings).toEqual([
    '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
  ]);
});

test('a patch of another type receives the supported types', async () => {
  const { code, message } = await world.send('PATCH', `${things}/old`, '{}', {
    as: adminUser,
    contentType: 'application/json',
  });
  expect([code, message]).toEqual([
    415,
    'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  ]);
});

const bare = `Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'`;

test.each<[string, Parameters<typeof answer>, number, RegExp | string]>([
  ['takes the apiVersion away', ['merge', 'Warn', '{"apiVersion":null}'], 500, bare],
  ['empties it', ['merge', 'Warn', '{"apiVersion":"","spec":{"a":2}}'], 500, bare],
  ['removes it', ['patch', 'Warn', '[{"op":"remove","path":"/apiVersion"}]'], 500, bare],
  ['gives it another kind besides', ['merge', 'Warn', '{"apiVersion":null,"kind":"Other"}'], 500, bare],
  [
    'is in conflict besides',
    ['merge', 'Warn', '{"apiVersion":null,"metadata":{"resourceVersion":"1"}}'],
    409,
    /has been modified/,
  ],
  [
    'makes it the core group',
    ['merge', 'Warn', '{"apiVersion":"v1"}'],
    422,
    'Thing "old" is invalid: apiVersion: Invalid value: "v1": must be turns.dev/v1',
  ],
  [
    'makes it no group and version',
    ['merge', 'Warn', '{"apiVersion":"a/b/c"}'],
    422,
    /unexpected GroupVersion string: a\/b\/c$/,
  ],
])('a patch that %s', async (_fact, sent, code, message) => {
  const [answered, said] = await answer(...sent);
  expect(answered).toBe(code);
  expect(said).toMatch(message);
});

// Recorded with kube-apiserver v1.36.2: what is no custom resource in protobuf is not read at all.
test.each([
  ['POST', things],
  ['PUT', `${things}/old`],
])('%s of protobuf: no custom resource is read from it', async (method, path) => {
  const body = new TextEncoder().encode('k8s\u0000\n\u0015\n\u000cturns.dev/v1\u0012\u0005Thing\u0012\u0002\n\u0000');
  const contentType = 'application/vnd.kubernetes.protobuf';
  const { code, message } = await world.send(method, path, body, { as: adminUser, contentType });
  expect(`${code} ${message}`).toBe(
    `400 Thing in version "v1" cannot be handled as a Thing: Object 'Kind' is missing in 'object has no kind field '`,
  );
});

// Source: apimachinery pkg/util/managedfields/internal/fieldmanager.go isResetManagedFields.
test.each<[fact: string, managedFields: readonly object[], managers: readonly string[] | undefined]>([
  ['one whose texts are empty clears all', [{ manager: '', operation: '' }], undefined],
  ['one empty entry clears all', [{}], undefined],
  ['an entry with a manager alone is dropped', [{ manager: 'x' }], ['m']],
])('the managers of a custom resource: %s', async (_fact, managedFields, managers) => {
  const as = adminUser;
  await world.send('POST', `${things}?fieldManager=m`, thing('"spec":{"a":1}', 'managed'), { as });
  const merge = { as, contentType: contentTypes.merge };
  const { body } = await world.send('PATCH', `${things}/managed`, { metadata: { managedFields } }, merge);
  await world.send('DELETE', `${things}/managed`, undefined, { as });
  const left = at(body, 'metadata', 'managedFields');
  expect(Array.isArray(left) ? left.map((one) => at(one, 'manager')) : left).toEqual(managers);
});
