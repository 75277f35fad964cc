// What a CustomResourceDefinition and its objects may make dear: each case has what is sent `before`, and the requests that count.

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'stalls.example.com';
const ns = `/apis/${group}/v1/namespaces/default`;
const json = 'application/json';
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const protobufV2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const fields = (count, make) => Object.fromEntries(many(count, (at) => [`f${at}`, make(at)]));
const object = (properties, more) => ({ type: 'object', properties, ...more });
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const post = (path, body) => ({ method: 'POST', path, type: json, body });
const patch = (path, type, body) => ({ method: 'PATCH', path, type, body });
const get = (path, accept = json) => ({ method: 'GET', path, accept });

const kindOf = (plural) => plural[0].toUpperCase() + plural.slice(1);
const versionOf = (schema, name = 'v1') => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
});

function definition(plural, versions, metadata = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadata, name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind: kindOf(plural) }, versions },
  };
}

const define = (plural, schema, more) => post(crds, definition(plural, [{ ...versionOf(schema), ...more }]));

const instance = (plural, spec, name = 'a') => ({
  apiVersion: `${group}/v1`,
  kind: kindOf(plural),
  metadata: { name },
  spec,
});

const create = (plural, spec, name = 'a') => post(`${ns}/${plural}`, instance(plural, spec, name));

/** Every way of writing an object and of reading it. */
const lives = (plural, spec) => [
  create(plural, spec),
  patch(`${ns}/${plural}/b?fieldManager=x`, apply, instance(plural, spec, 'b')),
  patch(`${ns}/${plural}/b?fieldManager=x`, apply, {
    ...instance(plural, spec, 'b'),
    metadata: { name: 'b', labels: { a: 'b' } },
  }),
  patch(`${ns}/${plural}/b?fieldManager=y`, apply, instance(plural, spec, 'b')),
  patch(`${ns}/${plural}/a`, merge, { metadata: { labels: { c: 'd' } } }),
  get(`${ns}/${plural}`),
];

const documents = [
  get('/apis', aggregated),
  get('/apis'),
  get(`/apis/${group}/v1`),
  get('/openapi/v3'),
  get(`/openapi/v3/apis/${group}/v1`),
  get('/openapi/v2'),
  get('/openapi/v2', protobufV2),
  get(crds),
  get(crds, table),
];

const rich = object({
  spec: object(
    fields(40, () =>
      object(
        fields(12, () => ({
          type: 'string',
          description: 'what it is about, in some words',
          maxLength: 50,
          default: 'a',
        })),
      ),
    ),
  ),
});

const rules = (count, clauses) => many(count, () => ({ rule: many(clauses, (at) => `self.a > ${at}`).join(' && ') }));

/** The names that every object has in JavaScript. */
const inherited = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
const ofInherited = (make) => Object.fromEntries(inherited.map((name) => [name, make(name)]));

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const named = (kind, name, spec) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});

/** A policy that asks this of a Pod, whose arguments may be of any length. */
const policed = (expression) => [
  post(
    policies,
    named('ValidatingAdmissionPolicy', 'cel', {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: [{ expression }],
    }),
  ),
  post(
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    named('ValidatingAdmissionPolicyBinding', 'cel', { policyName: 'cel', validationActions: ['Deny'] }),
  ),
];

/** A Pod of three megabytes that such a policy looks at. */
const asked = (expression, text) => ({
  before: policed(expression.replaceAll('LONG', 'object.spec.containers[0].args[0]')),
  requests: [
    post('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'cel' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'a',
            args: [text.repeat(Math.floor(3_100_000 / (Buffer.byteLength(JSON.stringify(text)) - 2)))],
          },
        ],
      },
    }),
  ],
});

/** A policy that changes every ConfigMap so, and one of many values. */
const mutated = (mutation) => ({
  before: [
    post(
      '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
      named('MutatingAdmissionPolicy', 'cel', {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        reinvocationPolicy: 'Never',
        mutations: [mutation],
      }),
    ),
    post(
      '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
      named('MutatingAdmissionPolicyBinding', 'cel', { policyName: 'cel' }),
    ),
  ],
  requests: [
    post('/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cel' },
      data: fields(45_000, (at) => `value ${at}`),
    }),
  ],
});

/** Twice a list that holds twice a list, and so on. */
const vast = (depth) =>
  many(depth, () => 0).reduce((inner, _one, at) => `[${inner}].map(l${at}, [l${at}, l${at}])[0]`, '["a"]');

/** An object of a list, a map and texts about which a rule is. */
const ruled = (plural, rule) => {
  const text = { type: 'string', maxLength: 3_000_000 };
  const item = object({ name: { type: 'string', maxLength: 20 }, wait: { type: 'string', format: 'duration' } });
  const list = {
    type: 'array',
    maxItems: 40_000,
    items: { ...item, required: ['name'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
  const map = { type: 'object', maxProperties: 40_000, additionalProperties: { type: 'string', format: 'duration' } };
  const spec = object({ text, list, map }, { 'x-kubernetes-validations': [{ rule }] });
  return {
    before: [define(plural, object({ spec }))],
    requests: [
      create(plural, {
        text: '"'.repeat(100_000),
        list: many(10_000, (at) => ({ name: `n${at}`, wait: `${at}s` })),
        map: Object.fromEntries(many(10_000, (at) => [`n${at}`, `${at}s`])),
      }),
      patch(`${ns}/${plural}/a`, merge, { spec: { text: 'a' } }),
    ],
  };
};

/** By name: what has to be there, and the requests. */
export const hostileDefinitions = {
  'a map of 45,000 fields': {
    before: [define('wides', object({ spec: { type: 'object', additionalProperties: { type: 'string' } } }))],
    requests: lives(
      'wides',
      fields(45_000, () => 'x'),
    ),
  },
  '45,000 unknown fields that stay': {
    before: [define('opens', object({ spec: open }))],
    requests: lives(
      'opens',
      fields(45_000, () => 'x'),
    ),
  },
  'a hundred rules of 300 clauses': {
    requests: [
      define(
        'rules',
        object({ spec: object({ a: { type: 'integer' } }, { 'x-kubernetes-validations': rules(100, 300) }) }),
      ),
      create('rules', { a: 1 }),
    ],
  },
  'an expression in each of 3,000 fields': {
    requests: [
      define(
        'eachs',
        object({
          spec: object(fields(3_000, () => ({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] }))),
        }),
      ),
      create(
        'eachs',
        fields(3_000, () => 1),
      ),
    ],
  },
  'a pattern that goes back and forth': {
    before: [define('patterns', object({ spec: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } }))],
    requests: [create('patterns', 'a'.repeat(1_000_000))],
  },
  '15,000 patterns': {
    requests: [
      define(
        'regexes',
        object({ spec: object(fields(15_000, (at) => ({ type: 'string', pattern: `^[a-z]{1,${(at % 99) + 1}}$` }))) }),
      ),
      create(
        'regexes',
        fields(15_000, () => 'a'),
      ),
    ],
  },
  '60,000 short names': {
    requests: [
      post(crds, {
        ...definition('shorts', [versionOf(open)]),
        spec: {
          ...definition('shorts', [versionOf(open)]).spec,
          names: { plural: 'shorts', kind: 'Shorts', shortNames: many(60_000, (at) => `a${at}`) },
        },
      }),
      get(`/openapi/v3/apis/${group}/v1`),
    ],
  },
  '90,000 values of an enum': {
    requests: [
      define('enums', object({ spec: { type: 'string', enum: many(90_000, (at) => `a${at}`) } })),
      create('enums', 'b'),
      get(`/openapi/v3/apis/${group}/v1`),
      get('/openapi/v2'),
      get('/openapi/v2', protobufV2),
    ],
  },
  '90,000 required fields': {
    requests: [
      define('needys', object({ spec: { ...open, required: many(90_000, (at) => `a${at}`) } })),
      create('needys', {}),
      get('/openapi/v2', protobufV2),
    ],
  },
  '50,000 finalizers of a definition': {
    requests: [post(crds, definition('finals', [versionOf(open)], { finalizers: many(50_000, (at) => `a.b/c${at}`) }))],
  },
  'documents of a hundred rich definitions': {
    before: many(100, (at) => define(`rich${at}s`, rich)),
    requests: documents,
  },
  'documents of 20,000 fields': {
    before: [
      define('fields', object({ spec: object(fields(20_000, () => ({ type: 'string', description: 'abc' }))) })),
    ],
    requests: documents,
  },
  'documents of 500 versions': {
    before: [
      post(
        crds,
        definition(
          'versions',
          many(500, (at) => versionOf(object({ spec: object(fields(20, () => ({ type: 'string' }))) }), `v${at + 1}`)),
        ),
      ),
    ],
    requests: documents,
  },
  'a Table of 1,000 columns': {
    before: [
      define('tables', open, {
        additionalPrinterColumns: many(1_000, (at) => ({
          name: `c${at}`,
          type: ['string', 'integer', 'date'][at % 3],
          jsonPath: ['.spec.l[?(@.x=="y")].z', '..z', '.metadata.creationTimestamp'][at % 3],
        })),
      }),
      ...many(100, (at) =>
        create('tables', { l: many(50, (item) => ({ x: item === 49 ? 'y' : 'n', z: item })) }, `t${at}`),
      ),
    ],
    requests: [get(`${ns}/tables`, table)],
  },
  'defaults of fields that came later': {
    before: [
      define('laters', object({ spec: object({ l: { type: 'array', items: object({ a: { type: 'string' } }) } }) })),
      ...many(200, (at) => create('laters', { l: many(200, () => ({ a: 'x' })) }, `d${at}`)),
      patch(`${crds}/laters.${group}`, jsonPatch, [
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/l/items/properties/b',
          value: { type: 'string', default: 'later' },
        },
      ]),
    ],
    requests: [get(`${ns}/laters`), get(`${ns}/laters`, table)],
  },
  'a long list that is let be': {
    before: [
      define(
        'keyeds',
        object({
          spec: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: object({ k: { type: 'string' }, v: { type: 'integer' } }, { required: ['k'] }),
          },
        }),
      ),
      create(
        'keyeds',
        many(20_000, (at) => ({ k: `x${at}`, v: at })),
      ),
      patch(`${crds}/keyeds.${group}`, jsonPatch, [
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/items/properties/v/maximum',
          value: 0,
        },
      ]),
    ],
    requests: [
      patch(`${ns}/keyeds/a`, merge, { metadata: { labels: { a: 'b' } } }),
      patch(`${ns}/keyeds/a`, jsonPatch, [{ op: 'replace', path: '/spec/0', value: { k: 'z', v: 5 } }]),
    ],
  },
  'a selector of 300 parts': {
    before: [
      define('selecteds', object({ spec: object({ a: { type: 'string' } }) }), {
        selectableFields: [{ jsonPath: '.spec.a' }],
      }),
      ...many(1_000, (at) => create('selecteds', { a: `${at}` }, `s${at}`)),
    ],
    requests: [get(`${ns}/selecteds?fieldSelector=${many(300, (at) => `spec.a!=${at}`).join(',')}`)],
  },
  'names that every object has': {
    requests: [
      define(
        'protos',
        object({ spec: object(ofInherited((name) => ({ type: 'string', default: name, enum: inherited }))) }),
      ),
      create('protos', {}),
      post(
        `${ns}/protos`,
        `{"apiVersion":"${group}/v1","kind":"Protos","metadata":{"name":"p"},"spec":{"__proto__":"toString","constructor":"__proto__"}}`,
      ),
      get(`${ns}/protos`),
    ],
  },
  'CEL: a million hits': asked('LONG.findAll("a").size() == 0', 'a'),
  'CEL: a pattern that a search takes long for': asked('LONG.find("(a{1,20}b)+c") == "x"', 'a'),
  'CEL: three million letters': asked('LONG.split("").join("") == LONG', 'a'),
  'CEL: a text in a text': asked('LONG.lastIndexOf(LONG.substring(9) + "b") > 0', 'a'),
  'CEL: a part of emoji': asked('LONG.substring(1, 700000) == LONG', '\u{1f600}'),
  'CEL: a path of emoji': asked('url("http://a/" + LONG).getEscapedPath() == ""', '\u{1f600}'),
  'CEL: capitals': asked('LONG.lowerAscii() == LONG', 'Aa'),
  'CEL: hexadecimal': asked('"%x".format([LONG]) == ""', 'a'),
  'CEL: a long duration': asked('duration(LONG) > duration("1s")', '1h'),
  'CEL: a query of many': asked('url("http://a/?" + LONG).getQuery().size() == 0', 'a&'),
  'CEL: a version of many parts': asked('isSemver("1.2.3-" + LONG + "a")', '1.'),
  'CEL: a version of many digits': asked('isSemver("1.2.3-" + LONG)', '9'),
  'CEL: an address of quotes': asked('ip(LONG).family() == 4', '"'),
  'CEL: a zone': asked('timestamp("2020-01-01T00:00:00Z").getFullYear(LONG) == 1', '"'),
  'CEL: all of it in a text': asked('"%s".format([object]) == ""', '"'),
  'a mutation that says all again': mutated({
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: '[JSONPatch{op: "add", path: "/data", value: object.data.transformMap(k, v, v + "x")}]',
    },
  }),
  'a configuration that says all again': mutated({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{data: object.data.transformMap(k, v, v + "x")}' },
  }),
  'a mutation of lists of lists': mutated({
    patchType: 'JSONPatch',
    jsonPatch: { expression: `[JSONPatch{op: "add", path: "/data", value: dyn(${vast(16)})}]` },
  }),
  'a rule about durations': ruled('durations', 'self.list.all(x, x.wait >= duration("0s"))'),
  'a rule about a map': ruled('maps', 'self.map.all(k, self.map[k] >= duration("0s"))'),
  'a rule about what was': ruled('olds', 'self.list == oldSelf.list && self.map == oldSelf.map'),
  'a rule about a text': ruled('texts', '!isIP(self.text) && self.text.size() > 0'),
  'CEL: replaced everywhere': asked('LONG.replace("a", "bc") == LONG', 'a'),
};
