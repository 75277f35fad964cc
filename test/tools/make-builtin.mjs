/**
 * Writes src/api/release/newest: what kadmit knows of the built-in resources and types, in a compact form.
 *
 *   node test/tools/make-builtin.mjs --kubernetes FOLDER --fields FILE [--columns FILE] [--out src/api/release/newest]
 *   node test/tools/make-builtin.mjs --schemas FILE|URL --discovery FILE|URL [--fields FILE] [--resources FILE]
 *                                    [--columns FILE] [--out src/api/release/newest]
 *
 * --kubernetes the sources of k8s.io/kubernetes, a Go module (`GOFLAGS=-mod=mod go mod download k8s.io/kubernetes@v1.36.2`
 *              puts them into `go env GOMODCACHE`): its api/ holds the schemas, discovery and hashes of every API there is,
 *              the alpha ones too
 * --schemas    the schemas as the server publishes them: `{kubernetesVersion, schemas: {name: schema}}` in a file, or the
 *              address of a running server (`http://127.0.0.1:8001` of `kubectl proxy`), whose /openapi/v3 is read
 * --fields     what no server publishes: for each Go type its fields in Go's order with omitempty, pointers and protobuf
 *              numbers (`{types: {"core.v1.Pod": {gvk, f: {name: {t, oe, ptr, p, …}}}}}`), taken from the struct tags of
 *              k8s.io/api, apimachinery, apiextensions-apiserver and kube-aggregator by api-facts.go. Without it those of the
 *              src/api/release/newest/types.json there is: what a new version adds then has no protobuf numbers yet
 * --discovery  a file with `{api, apis}`, two APIGroupDiscoveryLists, or two files joined by a comma, or the address of a
 *              running server, asked with `Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`
 * --resources  `{resources: [{group, version, plural, storageVersionHash}]}`: the hashes of /api/v1 and /apis/G/V.
 *              Without it those of the src/api/release/newest/resources.json there is
 * --columns    `{"apps/v1/deployments": [{name, type, format?, priority?}]}`: the columnDefinitions of each list when it is
 *              asked for as a Table
 *
 * The schemas and discovery are of one version and win over the fields, which may be of a newer one. The output:
 * types.json      {version, kinds: {"apps/v1/Deployment": type}, unserved: [kinds], atomic: [types], types: {type: fields | alias}}
 *                 field: `name type flags number key=value…`; flags o omitempty, z omitzero, p pointer, r required, - none;
 *                 alias: `string`, `string|A,B` with its published values, `[]string!` when protobuf wraps it in a message
 * resources.json  the rows of discovery, groups and versions in order of priority
 * columns.json    the Table columns
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    kubernetes: { type: 'string' },
    schemas: { type: 'string' },
    fields: { type: 'string' },
    discovery: { type: 'string' },
    resources: { type: 'string' },
    columns: { type: 'string' },
    out: { type: 'string', default: 'src/api/release/newest' },
  },
});
if (!options.kubernetes && (!options.schemas || !options.discovery)) {
  console.error('usage: node test/tools/make-builtin.mjs --schemas FILE|URL --discovery FILE|URL [--fields FILE]');
  process.exit(2);
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const isUrl = (text) => /^https?:/.test(text);
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

async function fetchJson(url, accept = 'application/json') {
  const response = await fetch(url, { headers: { accept } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

async function readSchemas(source) {
  if (!isUrl(source)) return readJson(source);
  const { paths } = await fetchJson(new URL('/openapi/v3', source));
  const { gitVersion } = await fetchJson(new URL('/version', source));
  const schemas = {};
  for (const { serverRelativeURL } of Object.values(paths)) {
    const document = await fetchJson(new URL(serverRelativeURL, source));
    Object.assign(schemas, document.components?.schemas);
  }
  return { kubernetesVersion: gitVersion, schemas };
}

async function readDiscovery(source) {
  if (isUrl(source)) {
    const ask = (path) => fetchJson(new URL(path, source), aggregated);
    return [...(await ask('/api')).items, ...(await ask('/apis')).items];
  }
  return source.split(',').flatMap((file) => {
    const { api, apis, items } = readJson(file);
    return items ?? [...api.items, ...apis.items];
  });
}

/** What the sources of Kubernetes publish in api/, in the forms of --schemas, --discovery and --resources. */
function readSources(folder) {
  const [, kubernetesVersion] = /kubernetes@(v[\d.]+)/.exec(folder) ?? [];
  const specs = join(folder, 'api/openapi-spec/v3');
  const schemas = Object.assign(
    {},
    ...readdirSync(specs).map((file) => readJson(join(specs, file)).components?.schemas),
  );
  const lists = readdirSync(join(folder, 'api/discovery'))
    .filter((file) => /^apis?__.*v\d/.test(file))
    .map((file) => readJson(join(folder, 'api/discovery', file)));
  const core = lists.find(({ groupVersion }) => groupVersion === 'v1');
  const resources = lists.flatMap(({ groupVersion, resources: rows }) => {
    const [version, group = ''] = groupVersion.split('/').toReversed();
    return rows.map(({ name, storageVersionHash }) => ({ group, version, plural: name, storageVersionHash }));
  });
  const { items } = readJson(join(folder, 'api/discovery/aggregated_v2.json'));
  return { kubernetesVersion, schemas, groups: [aggregatedForm(core), ...items], resources };
}

/** An APIResourceList in the form of aggregated discovery: upstream has no such file of the core group. */
function aggregatedForm({ groupVersion, resources: rows }) {
  const responseKind = ({ group = '', version = '', kind }) => ({ group, version, kind });
  const resourceOf = ({ name, namespaced, singularName, ...row }) => {
    const subresources = rows
      .filter((other) => other.name.startsWith(`${name}/`))
      .map((sub) => ({
        subresource: sub.name.slice(name.length + 1),
        responseKind: responseKind(sub),
        verbs: sub.verbs,
      }));
    return {
      ...row,
      resource: name,
      singularResource: singularName,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      responseKind: responseKind(row),
      subresources,
    };
  };
  const resources = rows.filter(({ name }) => !name.includes('/')).map(resourceOf);
  return { metadata: {}, versions: [{ version: groupVersion, resources }] };
}

const sources = options.kubernetes
  ? readSources(options.kubernetes)
  : {
      ...(await readSchemas(options.schemas)),
      groups: await readDiscovery(options.discovery),
      resources: options.resources && readJson(options.resources).resources,
    };
const { kubernetesVersion, schemas, groups } = sources;
const present = new URL('../../src/api/release/newest/', import.meta.url);
const facts = options.fields ? readJson(options.fields) : factsIn(readJson(new URL('types.json', present)));
const goTypes = facts.types;
const hashRows = sources.resources ?? rowsIn(readJson(new URL('resources.json', present)));
const hashes = new Map(hashRows.map((row) => [`${row.group}/${row.version}/${row.plural}`, row.storageVersionHash]));
const minor = Number(/^v1\.(\d+)/.exec(kubernetesVersion)?.[1]);
const warnings = [];

/** The hashes in a resources.json. */
function rowsIn(all) {
  return all.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources: rows }) =>
      rows.map(({ name, hash }) => ({ group, version, plural: name, storageVersionHash: hash })),
    ),
  );
}

/** The Go facts in a types.json, in the form of --fields. */
function factsIn({ types: compact, kinds: kindTypes, unserved: others, atomic: atomicTypes }) {
  const gvks = new Map(Object.entries(kindTypes).map(([key, type]) => [type, gvkOf(key)]));
  const expanded = Object.entries(compact).map(([type, text]) => {
    const gvk = gvks.get(type);
    const known = typeof text === 'string' ? aliasIn(text) : { f: Object.fromEntries(text.map(fieldIn)) };
    return [type, { ...known, ...(gvk ? { gvk } : {}), ...(atomicTypes.includes(type) ? { st: 'atomic' } : {}) }];
  });
  return {
    types: { ...Object.fromEntries(expanded), ...Object.fromEntries(others.map((key) => [key, { gvk: gvkOf(key) }])) },
  };
}

function gvkOf(key) {
  const [kind, version, group = ''] = key.split('/').toReversed();
  return [group, version, kind];
}

/** Names of types get the mark they have in --fields. */
function marked(text) {
  return text.replace(/^((?:\[\]|\{\})*)(\w+\.v\w+\.)/, '$1#$2');
}

function aliasIn(text) {
  if (text.startsWith('union ')) return { k: 'json', pb: JSON.parse(text.slice('union '.length)) };
  const [of, values] = text.split('|');
  return {
    of: marked(of.replace('!', '')),
    ...(of.endsWith('!') ? { pbMsg: 1 } : {}),
    ...(values ? { enum: values.split(','), em: 1 } : {}),
  };
}

function fieldIn(line) {
  const [name, type, flags, number, ...marks] = line.split(' ');
  const { lk, d, ...rest } = Object.fromEntries(
    marks.map((mark) => [mark.slice(0, mark.indexOf('=')), mark.slice(mark.indexOf('=') + 1)]),
  );
  const oe = (flags.includes('o') ? 1 : 0) + (flags.includes('z') ? 2 : 0);
  return [
    name,
    {
      ...rest,
      t: marked(type),
      p: Number(number),
      ...(oe ? { oe } : {}),
      ...(flags.includes('p') ? { ptr: 1 } : {}),
      ...(flags.includes('r') ? { r: 1 } : {}),
      ...(lk ? { lk: lk.split(',') } : {}),
      ...(d ? { d: JSON.parse(d) } : {}),
    },
  ];
}

const byText = (a, b) => (a < b ? -1 : 1);

/** `core.v1.Pod` ↔ `io.k8s.api.core.v1.Pod`. */
const prefixes = [
  ['meta.', 'io.k8s.apimachinery.pkg.apis.'],
  ['apiextensions.', 'io.k8s.apiextensions-apiserver.pkg.apis.'],
  ['apiregistration.', 'io.k8s.kube-aggregator.pkg.apis.'],
  ['', 'io.k8s.api.'],
];
const schemaName = (type) => `${prefixes.find(([start]) => type.startsWith(start))[1]}${type}`;
const typeName = (name) => prefixes.map(([, long]) => long).reduce((text, long) => text.replace(long, ''), name);

/** Types that are scalars on the wire. */
const scalars = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'microtime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Duration': 'duration',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'fieldsv1',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'raw',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'intstr',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'json',
};

const isNewer = ({ n }) => n !== undefined && Number(String(n).split('.')[1]) > minor;
const published = (type) => schemas[schemaName(type)];

/** The fields of a Go type that this version has, in Go's order; then those that only the schema knows. */
function fieldsOf(type) {
  const properties = published(type)?.properties;
  const inlined = (key, field) => (key.startsWith(',') ? namesOf(field.t.slice(1)) : [key]);
  const namesOf = (name) => Object.entries(goTypes[name].f ?? {}).flatMap(([key, field]) => inlined(key, field));
  const known = Object.entries(goTypes[type]?.f ?? {}).filter(
    ([key, field]) =>
      !isNewer(field) && (!properties || inlined(key, field).some((name) => Object.hasOwn(properties, name))),
  );
  const seen = new Set(known.flatMap(([key, field]) => inlined(key, field)).concat(['kind', 'apiVersion']));
  const extra = Object.entries(properties ?? {}).filter(([name]) => !seen.has(name));
  for (const [name] of extra) warnings.push(`${type}.${name} is published, but its Go facts are not known`);
  return [...known, ...extra.map(([name, schema]) => [name, fieldOfSchema(schema, isRequired(type, name))])];
}

const isRequired = (type, name) => published(type)?.required?.includes(name) ?? false;

function fieldOfSchema(schema, required) {
  return {
    t: typeOfSchema(schema),
    ...(required ? {} : { oe: 1 }),
    lt: schema['x-kubernetes-list-type'],
    lk: schema['x-kubernetes-list-map-keys'],
    ps: schema['x-kubernetes-patch-strategy'],
    pk: schema['x-kubernetes-patch-merge-key'],
  };
}

function typeOfSchema(schema) {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) {
    const name = reference.replace('#/components/schemas/', '');
    return scalars[name] ?? `#${typeName(name)}`;
  }
  if (schema.type === 'array') return `[]${typeOfSchema(schema.items)}`;
  if (schema.additionalProperties) return `{}${typeOfSchema(schema.additionalProperties)}`;
  if (schema.type === 'integer') return schema.format ?? 'int64';
  return (
    { boolean: 'bool', number: 'float64', string: schema.format === 'byte' ? 'bytes' : 'string' }[schema.type] ?? 'any'
  );
}

/** What Go prints as the type of a field where the facts have already looked through the name. */
function goName(type, name, field) {
  if (field.t === '{}quantity' && /^(core|node)\./.test(type)) return 'v1.ResourceList';
  if (field.t === '{}quantity') return 'map[v1.QualifiedName]resource.Quantity';
  if (name === 'x-kubernetes-validations') return 'v1.ValidationRules';
  if (type.endsWith('.JSONSchemaProps') && /^(definitions|dependencies)$/.test(name)) {
    return `v1.JSONSchema${name === 'definitions' ? 'Definitions' : 'Dependencies'}`;
  }
  if (field.t === 'string' && name === 'uid' && !/UserInfo|ReviewSpec|RequestSpec/.test(type)) return 'types.UID';
  return undefined;
}

function fieldText(type, name, field) {
  const required = published(type) ? isRequired(type, name) : field.r === 1;
  const schema = published(type)?.properties?.[name];
  const marks = {
    ...marksOf(schema, field),
    d: defaultText(schema ? schema.default : field.d, field),
    g: goName(type, name, field),
  };
  const given = Object.entries(marks).filter(([, value]) => value !== undefined);
  const texts = given.map(([key, value]) => `${key}=${value}`);
  return [name, field.t.replace('#', ''), flagsOf(field, required), field.p ?? 0, ...texts].join(' ');
}

/** As published; a type that is not has only the facts of its Go source. */
function marksOf(schema, { lt, lk, ps, pk, mt, st }) {
  const mark = (name) => schema?.[`x-kubernetes-${name}`];
  if (!schema) return { lt, lk: lk?.join(','), ps, pk, mt: mt ?? st };
  return {
    lt: mark('list-type'),
    lk: mark('list-map-keys')?.join(','),
    ps: mark('patch-strategy'),
    pk: mark('patch-merge-key'),
    mt: mark('map-type'),
  };
}

function flagsOf({ oe = 0, ptr }, required) {
  return [oe & 1 && 'o', oe & 2 && 'z', ptr && 'p', required && 'r'].filter(Boolean).join('') || '-';
}

/** A zero is not worth a word where the field is always printed: then it follows from that. */
const defaultText = (value, { oe = 0, ptr }) =>
  value === undefined || JSON.stringify(value) === '{}' || String(value).startsWith('@ref') || (!value && !oe && !ptr)
    ? undefined
    : JSON.stringify(value);

/** The values that a property of this alias type is published with. */
function publishedValues(alias) {
  for (const [type, { f = {} }] of Object.entries(goTypes)) {
    for (const [name, field] of Object.entries(f)) {
      const values = field.t === `#${alias}` ? published(type)?.properties?.[name]?.enum : undefined;
      if (values) return values;
    }
  }
  return undefined;
}

function aliasText(type, { of, enum: known, em, pbMsg }) {
  const values = publishedValues(type) ?? known;
  return `${of.replace('#', '')}${pbMsg ? '!' : ''}${em && values ? `|${values.join(',')}` : ''}`;
}

const types = {};
const atomic = [];

/** Adds a type and everything it is made of. */
function addType(type) {
  if (Object.hasOwn(types, type)) return;
  const facts = goTypes[type];
  if (!facts && !published(type)) throw new Error(`nothing is known about ${type}`);
  if (facts?.k === 'json') {
    types[type] = `union ${JSON.stringify(facts.pb)}`;
    addType('apiextensions.v1.JSONSchemaProps');
  } else if (facts?.of !== undefined) {
    types[type] = aliasText(type, facts);
    addTypeOf(facts.of);
  } else {
    addStruct(type, facts);
  }
}

function addStruct(type, facts) {
  const fields = fieldsOf(type);
  types[type] = [];
  if ((facts?.st ?? facts?.mt ?? published(type)?.['x-kubernetes-map-type']) === 'atomic') atomic.push(type);
  for (const [, field] of fields) addTypeOf(field.t);
  types[type] = fields.map(([name, field]) => fieldText(type, name, field));
}

function addTypeOf(text) {
  const name = text.replace(/^(\[\]|\{\})*/, '');
  if (name.startsWith('#')) addType(name.slice(1));
}

const typeOfKind = new Map(
  Object.entries(goTypes)
    .filter(([, { gvk }]) => gvk)
    .map(
      ([
        type,
        {
          gvk: [group, version, kind],
        },
      ]) => [`${group === '' ? '' : `${group}/`}${version}/${kind}`, type],
    ),
);
const kinds = {};

function addKind(group, version, kind) {
  const key = `${group === '' ? '' : `${group}/`}${version}/${kind}`;
  const type = typeOfKind.get(key);
  if (type === undefined) return false;
  addType(type);
  kinds[key] = type;
  return true;
}

const resources = groups.map(({ metadata, versions }) => ({
  group: metadata.name ?? '',
  versions: versions.map(({ version, resources: rows }) => ({
    version,
    resources: rows.map((row) => resourceRow(metadata.name ?? '', version, row)),
  })),
}));

function resourceRow(group, version, row) {
  const { kind } = row.responseKind;
  if (!addKind(row.responseKind.group || group, row.responseKind.version || version, kind))
    warnings.push(`no type for ${kind}`);
  addKind(group, version, `${kind}List`);
  const subresources = (row.subresources ?? []).map(({ subresource, responseKind, verbs }) => {
    const { group: subGroup, version: subVersion, kind: subKind } = responseKind;
    if (!addKind(subGroup || group, subVersion || version, subKind)) warnings.push(`no type for ${subKind}`);
    const where = subGroup || subVersion ? { group: subGroup, version: subVersion } : {};
    return { name: subresource, kind: subKind, ...where, verbs: verbs.join(' ') };
  });
  const hash = hashes.get(`${group}/${version}/${row.resource}`);
  return {
    name: row.resource,
    kind,
    ...(row.scope === 'Namespaced' ? { namespaced: true } : {}),
    singular: row.singularResource,
    verbs: row.verbs.join(' '),
    ...(row.shortNames ? { shortNames: row.shortNames } : {}),
    ...(row.categories ? { categories: row.categories } : {}),
    ...(hash ? { hash } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

// Kinds that no discovery row names: reviews sent to webhooks, and what meta/v1 adds to every group.
for (const [key, type] of typeOfKind) {
  if (!key.startsWith('admission.k8s.io/')) continue;
  addType(type);
  kinds[key] = type;
}
for (const kind of ['Create', 'Update', 'Patch', 'Delete', 'Get', 'List', 'Table', 'Apply'])
  addType(`meta.v1.${kind}Options`);
for (const kind of ['Status', 'Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'WatchEvent', 'List']) {
  addType(`meta.v1.${kind}`);
}

/** Kinds that the code of this version has but does not serve by default: a body of one is foreign, not unknown. */
const unserved = [...typeOfKind.keys()]
  .filter((key) => !Object.hasOwn(kinds, key) && !isNewer(goTypes[typeOfKind.get(key)]))
  .toSorted(byText);

mkdirSync(options.out, { recursive: true });
const lines = (record) =>
  `{\n${Object.entries(record)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`;
const sorted = (record) => Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => byText(a, b)));
const write = (name, text) => writeFileSync(join(options.out, name), `${text}\n`);
write(
  'types.json',
  `{"version":${JSON.stringify(kubernetesVersion)},\n"kinds":${lines(sorted(kinds))},\n"unserved":${JSON.stringify(unserved)},\n"atomic":${JSON.stringify(atomic.toSorted(byText))},\n"types":${lines(sorted(types))}}`,
);
write('resources.json', `[${resources.map((group) => JSON.stringify(group)).join(',\n')}]`);
if (options.columns) write('columns.json', lines(readJson(options.columns)));
for (const warning of warnings) console.error(`note: ${warning}`);
