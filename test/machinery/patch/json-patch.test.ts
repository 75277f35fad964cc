import fastJsonPatch from 'fast-json-patch';
import { expect, test } from 'vitest';
import { type JsonDocument, JsonNumber } from '../../../src/machinery/json/json.ts';
import { applyJsonPatch, type PatchOutcome } from '../../../src/machinery/patch/json-patch.ts';
import { decodeClientPatch, decodePatch } from '../../../src/machinery/patch/json-patch-decode.ts';
import { readJson } from '../../../src/machinery/json/json-reader.ts';

function documentOf(text: string): JsonDocument {
  const reading = readJson(text);
  if (reading.outcome !== 'read') throw new Error(reading.error);
  return reading.json.value;
}

function patched(document: string, patch: string): PatchOutcome {
  const decoded = decodePatch(patch);
  if (decoded.outcome !== 'decoded') throw new Error(decoded.error);
  return applyJsonPatch(documentOf(document), decoded.patch);
}

const object = '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30],"n":null}';

// Source: spec/admission.md 7.3, rules JP-1 to JP-12; gopkg.in/evanphx/json-patch.v4 patch.go.
const results: readonly [fact: string, patch: string, document: string][] = [
  [
    'what stands before the first slash is not read',
    '[{"op":"replace","path":"zzz/n","value":5}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30],"n":5}',
  ],
  [
    '~1 is a slash and ~0 a tilde',
    '[{"op":"remove","path":"/a/x~1y"},{"op":"remove","path":"/a/~0t"}]',
    '{"a":{"b":1},"l":[10,20,30],"n":null}',
  ],
  [
    '~01 is a tilde and a one',
    '[{"op":"add","path":"/a","value":{}},{"op":"add","path":"/a/~01","value":1}]',
    '{"a":{"~1":1},"l":[10,20,30],"n":null}',
  ],
  ['add overwrites a member', '[{"op":"add","path":"/a","value":1}]', '{"a":1,"l":[10,20,30],"n":null}'],
  ['add without a value adds null', '[{"op":"add","path":"/a"}]', '{"a":null,"l":[10,20,30],"n":null}'],
  [
    'add - appends',
    '[{"op":"add","path":"/l/-","value":40}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30,40],"n":null}',
  ],
  [
    'add may name the index after the last',
    '[{"op":"add","path":"/l/3","value":40}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30,40],"n":null}',
  ],
  ['add inserts', '[{"op":"add","path":"/l/0","value":5}]', '{"a":{"b":1,"x/y":2,"~t":3},"l":[5,10,20,30],"n":null}'],
  [
    'add -1 appends',
    '[{"op":"add","path":"/l/-1","value":40}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30,40],"n":null}',
  ],
  [
    'add -4 inserts in front of three',
    '[{"op":"add","path":"/l/-4","value":5}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[5,10,20,30],"n":null}',
  ],
  [
    'an index may have a sign and zeros',
    '[{"op":"replace","path":"/l/+01","value":5}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,5,30],"n":null}',
  ],
  [
    'replace adds a missing member',
    '[{"op":"replace","path":"/a/new","value":5}]',
    '{"a":{"b":1,"x/y":2,"~t":3,"new":5},"l":[10,20,30],"n":null}',
  ],
  [
    'replace -1 is the last element',
    '[{"op":"replace","path":"/l/-1","value":5}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,5],"n":null}',
  ],
  ['replace of everything', '[{"op":"replace","path":"","value":{"z":1}}]', '{"z":1}'],
  [
    'replace of everything by a list',
    '[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/0","value":0}]',
    '[0,1]',
  ],
  [
    'remove of a negative index',
    '[{"op":"remove","path":"/l/-2"}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,30],"n":null}',
  ],
  ['a missing member passes the test for null', '[{"op":"test","path":"/none","value":null}]', object],
  ['a missing member passes a test without value', '[{"op":"test","path":"/none"}]', object],
  ['null passes the test for null', '[{"op":"test","path":"/n","value":null}]', object],
  ['test compares objects whatever their order', '[{"op":"test","path":"/a","value":{"~t":3,"x/y":2,"b":1}}]', object],
  ['test of everything', `[{"op":"test","path":"","value":${object}}]`, object],
  ['move', '[{"op":"move","from":"/a/b","path":"/l/0"}]', '{"a":{"x/y":2,"~t":3},"l":[1,10,20,30],"n":null}'],
  ['copy', '[{"op":"copy","from":"/a/b","path":"/c"}]', '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30],"n":null,"c":1}'],
  [
    'copy of a missing member adds null',
    '[{"op":"copy","from":"/none","path":"/c"}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30],"n":null,"c":null}',
  ],
  [
    'copy of a container into itself',
    '[{"op":"add","path":"/l/-","value":4},{"op":"copy","from":"/l","path":"/l/0"}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[[10,20,30,4],10,20,30,4],"n":null}',
  ],
  [
    'a copy is a value of its own',
    '[{"op":"add","path":"/a/k","value":1},{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/a/k","value":2}]',
    '{"a":{"b":1,"x/y":2,"~t":3,"k":2},"c":{"b":1,"x/y":2,"~t":3,"k":1},"l":[10,20,30],"n":null}',
  ],
  ['members that no operation has are ignored', '[{"op":"remove","path":"/a","zork":1}]', '{"l":[10,20,30],"n":null}'],
  [
    '__proto__ is a member like any other',
    '[{"op":"add","path":"/__proto__","value":{"p":1}},{"op":"add","path":"/__proto__/q","value":2}]',
    '{"a":{"b":1,"x/y":2,"~t":3},"l":[10,20,30],"n":null,"__proto__":{"p":1,"q":2}}',
  ],
  ['no operation', '[]', object],
  ['null is no operation', 'null', object],
];

test.each(results)('%s', (_fact, patch, document) => {
  expect(patched(object, patch)).toEqual({ outcome: 'patched', document: documentOf(document) });
});

const failures: readonly [patch: string, error: string][] = [
  [
    '[{"op":"add","path":"/x/y","value":1}]',
    'add operation does not apply: doc is missing path: "/x/y": missing value',
  ],
  ['[{"op":"add","path":"","value":1}]', 'add operation does not apply: doc is missing path: "": missing value'],
  ['[{"op":"add","path":"x","value":1}]', 'add operation does not apply: doc is missing path: "x": missing value'],
  [
    '[{"op":"add","path":"/a/b/c","value":1}]',
    'add operation does not apply: doc is missing path: "/a/b/c": missing value',
  ],
  [
    '[{"op":"add","path":"/constructor/c","value":1}]',
    'add operation does not apply: doc is missing path: "/constructor/c": missing value',
  ],
  ['[{"op":"add","value":1}]', 'add operation failed to decode path: missing value'],
  ['[{"op":"add","path":5}]', 'add operation failed to decode path: missing value'],
  [
    '[{"op":"add","path":"/l/4","value":1}]',
    "error in add for path: '/l/4': Unable to access invalid index: 4: invalid index referenced",
  ],
  [
    '[{"op":"add","path":"/l/-5","value":1}]',
    "error in add for path: '/l/-5': Unable to access invalid index: -5: invalid index referenced",
  ],
  [
    '[{"op":"add","path":"/l/x","value":1}]',
    `error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    '[{"op":"add","path":"/l/9223372036854775808","value":1}]',
    `error in add for path: '/l/9223372036854775808': value was not a proper array index: '9223372036854775808': strconv.Atoi: parsing "9223372036854775808": value out of range`,
  ],
  [
    '[{"op":"replace","path":"/x/y","value":1}]',
    'replace operation does not apply: doc is missing path: /x/y: missing value',
  ],
  [
    '[{"op":"replace","path":"/l/3","value":1}]',
    'replace operation does not apply: doc is missing key: /l/3: missing value',
  ],
  [
    '[{"op":"replace","path":"/l/-","value":1}]',
    'replace operation does not apply: doc is missing key: /l/-: missing value',
  ],
  ['[{"op":"replace","path":"","value":1}]', 'replace operation value must be object or array: %!w(<nil>)'],
  ['[{"op":"replace","path":"","value":null}]', 'replace operation value must be object or array: %!w(<nil>)'],
  [
    '[{"op":"replace","value":1}]',
    'replace operation failed to decode path: operation missing path field: missing value',
  ],
  [
    '[{"op":"replace","path":true}]',
    'replace operation failed to decode path: json: cannot unmarshal bool into Go value of type string',
  ],
  [
    '[{"op":"remove","path":"/none"}]',
    "error in remove for path: '/none': Unable to remove nonexistent key: none: missing value",
  ],
  ['[{"op":"remove","path":"/x/y"}]', 'remove operation does not apply: doc is missing path: "/x/y": missing value'],
  [
    '[{"op":"remove","path":"/l/3"}]',
    "error in remove for path: '/l/3': Unable to access invalid index: 3: invalid index referenced",
  ],
  ['[{"op":"remove","path":"/l/-"}]', `error in remove for path: '/l/-': strconv.Atoi: parsing "-": invalid syntax`],
  ['[{"op":"test","path":"/a/b","value":2}]', 'testing value /a/b failed: test failed'],
  ['[{"op":"test","path":"/a/b"}]', 'testing value /a/b failed: test failed'],
  ['[{"op":"test","path":"/a/b","value":1.0}]', 'testing value /a/b failed: test failed'],
  ['[{"op":"test","path":"/none","value":1}]', 'testing value /none failed: test failed'],
  ['[{"op":"test","path":"/x/y","value":1}]', 'test operation does not apply: is missing path: /x/y: missing value'],
  [
    '[{"op":"test","path":"/l/7","value":1}]',
    "error in test for path: '/l/7': Unable to access invalid index: 7: invalid index referenced",
  ],
  ['[{"op":"test","path":"","value":null}]', 'testing value  failed: test failed'],
  [
    '[{"op":"move","from":"/x/y","path":"/c"}]',
    'move operation does not apply: doc is missing from path: /x/y: missing value',
  ],
  [
    '[{"op":"move","from":"/none","path":"/c"}]',
    "error in move for path: 'none': Unable to remove nonexistent key: none: missing value",
  ],
  [
    '[{"op":"move","from":"/a","path":"/a/b"}]',
    'move operation does not apply: doc is missing destination path: /a/b: missing value',
  ],
  [
    '[{"op":"move","path":"/a/b"}]',
    'move operation failed to decode from: operation, missing from field: missing value',
  ],
  [
    '[{"op":"copy","from":"/x/y","path":"/c"}]',
    'copy operation does not apply: doc is missing from path: /x/y: missing value',
  ],
  [
    '[{"op":"copy","from":"/a","path":"/x/y"}]',
    'copy operation does not apply: doc is missing destination path: /x/y: missing value',
  ],
  [
    '[{"op":"copy","from":"/l/3","path":"/c"}]',
    "error in copy for from: '/l/3': Unable to access invalid index: 3: invalid index referenced",
  ],
  [
    '[{"op":"copy","from":"/a","path":"/l/9"}]',
    'error while adding value during copy: Unable to access invalid index: 9: invalid index referenced',
  ],
  ['[{"op":"upsert","path":"/a"}]', 'Unexpected kind: upsert'],
  ['[{"op":"Add","path":"/a"}]', 'Unexpected kind: Add'],
  ['[{"path":"/a"}]', 'Unexpected kind: unknown'],
  ['[null]', 'Unexpected kind: unknown'],
];

test.each(failures)('%s fails', (patch, error) => {
  // A failed test operation is a separate outcome: it skips the patch of a policy.
  const isTest = error.endsWith('test failed') ? true : undefined;
  expect(patched(object, patch)).toEqual({ outcome: 'failed', error, isTest });
});

const panics: readonly [fact: string, document: string, patch: string][] = [
  ['replace of everything without a value', object, '[{"op":"replace","path":""}]'],
  ['test of everything without a value', object, '[{"op":"test","path":""}]'],
  ['test of a list with null inside', '{"l":[1,null]}', '[{"op":"test","path":"/l","value":[1,null]}]'],
];

test.each(panics)('%s crashes upstream', (_fact, document, patch) => {
  expect(patched(document, patch)).toHaveProperty('outcome', 'panicked');
});

// Source: rule JP-7; the document is Go's encoding, so it has \u003c where the patch may have <.
const spellings: readonly [patch: string, outcome: PatchOutcome['outcome']][] = [
  [String.raw`[{"op":"test","path":"/s","value":"a\u003cb"}]`, 'patched'],
  ['[{"op":"test","path":"/s","value":"a<b"}]', 'failed'],
  [String.raw`[{"op":"test","path":"/s","value":"\u0061\u003cb"}]`, 'failed'],
  ['[{"op":"add","path":"/t","value":"a<b"},{"op":"test","path":"/t","value":"a<b"}]', 'patched'],
  ['[{"op":"test","path":"/big","value":9007199254740993}]', 'patched'],
  ['[{"op":"test","path":"/big","value":9007199254740992}]', 'failed'],
];

test.each(spellings)('%s: %s', (patch, outcome) => {
  const document = { s: 'a<b', big: 9007199254740993n };
  const decoded = decodePatch(patch);
  expect(decoded.outcome === 'decoded' && applyJsonPatch(document, decoded.patch).outcome).toBe(outcome);
});

test('oddly spelt strings and numbers come out whole', () => {
  const patch = String.raw`[{"op":"add","path":"/s","value":["<\u0061\/",1.0]}]`;
  expect(patched('{}', patch)).toEqual({ outcome: 'patched', document: { s: ['<a/', new JsonNumber('1.0')] } });
});

test('the input stays as it was, and what did not change is shared', () => {
  const document = documentOf(object);
  const decoded = decodePatch('[{"op":"remove","path":"/l/0"},{"op":"add","path":"/l/-","value":1}]');
  if (decoded.outcome !== 'decoded') throw new Error(decoded.error);
  const result = applyJsonPatch(document, decoded.patch);
  expect(document).toEqual(documentOf(object));
  expect(result.outcome === 'patched' && Object(result.document).a).toBe(Object(document).a);
});

// Source: rule MUT-12.
test('copies may add 3 MiB', () => {
  const document = JSON.stringify({ a: 'x'.repeat(1024 * 1024), n: null });
  const copies = (count: number): string =>
    JSON.stringify(Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/a', path: `/c${index}` })));
  expect(patched(document, copies(2))).toHaveProperty('outcome', 'patched');
  expect(patched(document, copies(3))).toEqual({
    outcome: 'failed',
    error: 'Unable to complete the copy, the accumulated size increase of copy is 3145734, exceeding the limit 3145728',
  });
});

// Source: rule MUT-10 and the facts response-patch-not-json, response-patch-object.
const undecodable: readonly [patch: string, error: string][] = [
  ['not json', "invalid character 'o' in literal null (expecting 'u')"],
  ['{"op":"add"}', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  ['"x"', 'json: cannot unmarshal string into Go value of type jsonpatch.Patch'],
  ['5', 'json: cannot unmarshal number into Go value of type jsonpatch.Patch'],
  ['true', 'json: cannot unmarshal bool into Go value of type jsonpatch.Patch'],
  ['[{},[1]]', 'json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
];

test.each(undecodable)('%s is no patch', (patch, error) => {
  expect(decodePatch(patch)).toEqual({ outcome: 'undecodable', error });
});

// Source: spec/kubectl.md 7.4 and the fact crud-patch-errors.
const clientErrors: readonly [patch: string, checked: string, unchecked: string][] = [
  [
    '{"op":"add"}',
    'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  ],
  [
    '[5]',
    'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    'json: cannot unmarshal number into Go value of type jsonpatch.Operation',
  ],
  ['', 'error decoding patch: unexpected end of JSON input', 'unexpected end of JSON input'],
];

test.each(clientErrors)('a client may not send %s', (patch, checked, unchecked) => {
  expect(decodeClientPatch(patch, true)).toEqual({ outcome: 'undecodable', error: checked });
  expect(decodeClientPatch(patch, false)).toEqual({ outcome: 'undecodable', error: unchecked });
});

test('the type of a member is checked at once', () => {
  expect(decodeClientPatch('[{"op":"add","path":5}]', true)).toEqual({
    outcome: 'undecodable',
    error: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
  });
  expect(decodeClientPatch('[{"op":"add","path":5}]', false)).toHaveProperty('outcome', 'decoded');
});

test('unknown and repeated members are reported in order', () => {
  const text = '[{"op":"add","zork":1,"op":"add","path":"/a","value":{"zork":1,"b":1,"b":2}},{"x":1}]';
  expect(decodeClientPatch(text, true)).toHaveProperty('strict', [
    'json patch unknown field "[0].zork"',
    'json patch duplicate field "[0].op"',
    'json patch duplicate field "[0].value.b"',
    'json patch unknown field "[1].x"',
  ]);
  expect(decodeClientPatch(text, false)).toHaveProperty('strict', []);
});

// A second opinion, for paths where RFC 6902 and upstream's engine agree. Left out is what fast-json-patch does not check:
// an index too large for move and copy, and members of scalars; and copies of missing members, which rule JP-9 allows.
test('500 random patches give what fast-json-patch makes of them', () => {
  const next = sequence(42);
  for (let round = 0; round < 500; round += 1) {
    const document = { a: { b: [1, 2, { c: 3 }], d: 'x' }, l: [{ k: 1 }, { k: 2 }], s: 'text' };
    const patch = Array.from({ length: 1 + (next() % 4) }, () => operationFrom(next));
    const mine = patched(JSON.stringify(document), JSON.stringify(patch));
    expect(mine).toMatchObject(opinionOf(document, patch));
  }
});

function opinionOf(document: object, patch: Parameters<typeof fastJsonPatch.applyPatch>[1]): object {
  try {
    const copy = fastJsonPatch.deepClone(document);
    return { outcome: 'patched', document: fastJsonPatch.applyPatch(copy, patch, true).newDocument };
  } catch {
    return { outcome: 'failed' };
  }
}

/** Most paths exist at first, so that most operations apply. */
function operationFrom(next: () => number): {
  op: 'add' | 'remove' | 'test' | 'move' | 'copy';
  path: string;
  from: string;
  value: unknown;
} {
  const paths = ['/a/b/0', '/a/b/-', '/a/d', '/a/new', '/l/1', '/l/0/k', '/s', '/none/x'];
  const values = [1, 'text', { c: 3 }, [1, 2], true];
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T | undefined => list[next() % list.length];
  const op = pick(['add', 'add', 'remove', 'test', 'move', 'copy'] as const) ?? 'add';
  const reads = op === 'remove' || op === 'test';
  const existing = paths.filter((path) => !path.endsWith('-') && !path.endsWith('new'));
  return {
    op,
    path: (reads ? pick(existing) : pick(paths)) ?? '',
    from: pick(['/a/b/0', '/l/1']) ?? '',
    value: pick(values),
  };
}

/** A linear congruential generator: the same numbers in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536);
  };
}

// Source: go src/encoding/json/encode.go, which evanphx/json-patch compares with: a text that is spelt otherwise is kept as it stands.
test.each<readonly [literal: string, isGos: boolean]>([
  [String.raw`"a b/é"`, true],
  [String.raw`"\"\\\n\r\t\b\f"`, true],
  [String.raw`"\u0000\u0007\u000b\u000e\u001f"`, true],
  [String.raw`"\u003c\u003e\u0026\u2028\u2029"`, true],
  ['"\u007f"', true],
  [String.raw`"\/"`, false],
  [String.raw`"\u000a"`, false],
  [String.raw`"\u0008"`, false],
  [String.raw`"\u000B"`, false],
  [String.raw`"\u0022"`, false],
  [String.raw`"\u003C"`, false],
  [String.raw`"\u00e9"`, false],
  [String.raw`"\ud800"`, false],
  ['"<"', false],
  ['"a&"', false],
  ['">"', false],
  ['"\u2028"', false],
  ['"\u2029"', false],
])('%s is spelt as in Go: %s', (literal, isGos) => {
  const decoded = decodePatch(`[{"op":"add","path":"/a","value":${literal}}]`);
  expect(decoded.outcome === 'decoded' && decoded.patch.hasLiterals).toBe(!isGos);
});
