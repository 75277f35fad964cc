import type { JsonObject } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../builtin-types.ts';

/** A non-cryptographic hash for ETags and cache keys: 8 hex digits for each part, 128 by default as upstream. */
export function hashText(text: string, parts = 16): string {
  let hash = '';
  for (let part = 1; part <= parts; part += 1) {
    hash += fnv1a(text, Math.imul(part, 0x9e3779b9)).toString(16).padStart(8, '0').toUpperCase();
  }
  return hash;
}

/** FNV-1a of the UTF-16 units with a final mix. */
function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

// OpenAPI documents of paths other than group versions. Follows apiserver pkg/endpoints/discovery and
// pkg/server/routes, kubernetes pkg/routes/openidmetadata.go.

/** Served only with a service account issuer. */
export const issuerDocuments: readonly string[] = ['.well-known/openid-configuration', 'openid/v1/jwks'];

export const listGeneralPaths = (groups: readonly string[]): readonly string[] => [
  'version',
  'api',
  'apis',
  ...groups.filter((group) => group !== '').map((group) => `apis/${group}`),
];

export function createGeneralDocument(types: BuiltinTypes, path: string): JsonObject {
  const { answer, needed, mediaTypes } = describeContent(path);
  const schema = answer === undefined ? textSchema : createRef(answer);
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  const responses = { '200': { description: 'OK', content }, '401': { description: 'Unauthorized' } };
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `1.${types.minor}` },
    paths: { [`/${path}/`]: { get: { responses } } },
    components: answer === undefined ? {} : { schemas: Object.fromEntries(needed) },
  };
}

interface Content {
  /** A schema name; undefined for plain text. */
  readonly answer: string | undefined;
  readonly needed: readonly (readonly [string, JsonObject])[];
  readonly mediaTypes: readonly string[];
}

const negotiatedMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

function describeContent(path: string): Content {
  if (path === 'version') {
    return {
      answer: infoTypeName,
      needed: [[infoTypeName, createVersionInfoSchema()]],
      mediaTypes: ['application/json'],
    };
  }
  if (issuerDocuments.includes(path)) {
    const [, keys] = issuerDocuments;
    const mediaTypes = [path === keys ? 'application/jwk-set+json' : 'application/json'];
    return { answer: undefined, needed: [], mediaTypes };
  }
  const names = path === 'api' ? versionsTypes : path === 'apis' ? groupsTypes : groupTypes;
  const needed = names.map((name) => [`${meta}.${name}`, schemas[name]] as const);
  return { answer: needed[0]?.[0], needed, mediaTypes: negotiatedMediaTypes };
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const infoTypeName = 'io.k8s.apimachinery.pkg.version.Info';
const versionsTypes = ['APIVersions', 'ServerAddressByClientCIDR'] as const;
const groupTypes = ['APIGroup', 'GroupVersionForDiscovery', 'ServerAddressByClientCIDR'] as const;
const groupsTypes = ['APIGroupList', ...groupTypes] as const;

const textSchema: JsonObject = { type: 'string' };
const requiredTextSchema: JsonObject = { type: 'string', default: '' };
const createRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const createRefProperty = (name: string): JsonObject => ({ default: {}, allOf: [createRef(`${meta}.${name}`)] });
const createList = (items: JsonObject): JsonObject => ({ type: 'array', items, 'x-kubernetes-list-type': 'atomic' });

const createTopLevel = (kind: string, required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  required,
  properties: { apiVersion: textSchema, kind: textSchema, ...properties },
  'x-kubernetes-group-version-kind': [{ group: '', kind, version: 'v1' }],
});

/** Types used only here. Follows apimachinery pkg/apis/meta/v1/types.go. */
const schemas: Readonly<Record<(typeof groupsTypes)[number] | (typeof versionsTypes)[number], JsonObject>> = {
  APIVersions: createTopLevel('APIVersions', ['versions', 'serverAddressByClientCIDRs'], {
    serverAddressByClientCIDRs: createList(createRefProperty('ServerAddressByClientCIDR')),
    versions: createList(requiredTextSchema),
  }),
  APIGroupList: createTopLevel('APIGroupList', ['groups'], { groups: createList(createRefProperty('APIGroup')) }),
  APIGroup: createTopLevel('APIGroup', ['name', 'versions'], {
    name: requiredTextSchema,
    preferredVersion: createRefProperty('GroupVersionForDiscovery'),
    serverAddressByClientCIDRs: createList(createRefProperty('ServerAddressByClientCIDR')),
    versions: createList(createRefProperty('GroupVersionForDiscovery')),
  }),
  GroupVersionForDiscovery: {
    type: 'object',
    required: ['groupVersion', 'version'],
    properties: { groupVersion: requiredTextSchema, version: requiredTextSchema },
  },
  ServerAddressByClientCIDR: {
    type: 'object',
    required: ['clientCIDR', 'serverAddress'],
    properties: { clientCIDR: requiredTextSchema, serverAddress: requiredTextSchema },
  },
};

/** Follows apimachinery pkg/version/types.go. */
function createVersionInfoSchema(): JsonObject {
  const required = 'major minor gitVersion gitCommit gitTreeState buildDate goVersion compiler platform'.split(' ');
  const optional = 'emulationMajor emulationMinor minCompatibilityMajor minCompatibilityMinor'.split(' ');
  const properties = [
    ...required.map((name) => [name, requiredTextSchema] as const),
    ...optional.map((name) => [name, textSchema] as const),
  ];
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}
