import { invalidValue, required } from '../../apimachinery/field-error.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { goDuration } from '../../apimachinery/go-duration.ts';
import { parseGoUrl } from '../../apimachinery/go-url.ts';
import type {
  EncryptionConfiguration,
  EncryptionKey,
  KeyList,
  KmsConfiguration,
  ProviderConfiguration,
} from './encryption-configuration.ts';

/**
 * What is wrong with it; `reload`: it is read again when it changes.
 * Follows apiserver pkg/apis/apiserver/validation/validation_encryption.go.
 */
export function encryptionErrors(configuration: EncryptionConfiguration, reload: boolean): readonly FieldError[] {
  if (configuration.length === 0) return [required('resources', 'at least one resources is required')];
  const kmsNames = new Set<string>();
  return configuration.flatMap(({ resources, providers }, index) => {
    const [r, p] = [`resources[${index}].resources`, `resources[${index}].providers`];
    return [
      ...(resources.length === 0 ? [required(r, `at least one ${r} is required`)] : []),
      ...overlapErrors(resources, r),
      ...resources.flatMap((resource, at) => nameErrors(resource, `${r}[${at}]`)),
      ...(providers.length === 0 ? [required(p, `at least one ${p} is required`)] : []),
      ...providers.flatMap((provider, at) => providerErrors(provider, `${p}[${at}]`, { kmsNames, reload })),
    ];
  });
}

/** `RESOURCE.GROUP` at its first dot. Follows apimachinery pkg/runtime/schema/group_version.go ParseGroupResource. */
export function splitResource(text: string): { readonly group: string; readonly resource: string } {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

function overlapErrors(resources: readonly string[], at: string): readonly FieldError[] {
  const parts = resources.map(splitResource);
  const isAny = parts.some(({ group, resource }) => group === '*' && resource === '*');
  const same = (a: { group: string; resource: string }, b: typeof a): boolean =>
    a.group === b.group && a.resource === b.resource;
  const pairs = parts.flatMap((one, index) => parts.slice(index + 1).map((other) => [one, other] as const));
  const isTwice = pairs.some(([one, other]) => same(one, other));
  const isMasked = pairs.some(
    ([one, other]) =>
      !same(one, other) && (isAny || (one.group === other.group && (one.resource === '*' || other.resource === '*'))),
  );
  const found = (detail: string): FieldError => invalidValue(at, [...resources], detail);
  return [
    ...(isTwice ? [found('the same resource cannot be specified multiple times')] : []),
    ...(isMasked
      ? [
          found(
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

const withoutApi = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

function nameErrors(name: string, at: string): readonly FieldError[] {
  const { group, resource } = splitResource(name);
  const found = (detail: string): readonly FieldError[] => [invalidValue(at, name, detail)];
  if (name.toLowerCase() !== name) return found('resource name should not contain capital letters');
  if (name === '*') {
    return found("use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources");
  }
  if (withoutApi.includes(name)) return found('resources which do not have REST API/s cannot be encrypted');
  if (group === 'events.k8s.io') {
    return found(
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    );
  }
  if (group === 'extensions') {
    return found("'extensions' group has been removed and cannot be used for encryption");
  }
  if (group === '*' && resource !== '*') return found('encrypting the same resource across groups is not supported');
  return [];
}

interface Seen {
  readonly kmsNames: Set<string>;
  readonly reload: boolean;
}

const aesSizes = [16, 24, 32];
const secretboxSizes = [32];

function providerErrors(provider: ProviderConfiguration, at: string, seen: Seen): readonly FieldError[] {
  const { kms, aesgcm, aescbc, secretbox, identity } = provider;
  const found = [kms, aesgcm, aescbc, secretbox, identity].filter((one) => one !== undefined).length;
  const wrong = (detail: string): FieldError => invalidValue(at, printedProvider(provider), detail);
  const count =
    found === 0
      ? [wrong('provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity')]
      : found > 1
        ? [wrong('more than one provider specified in a single element, should split into different list elements')]
        : [];
  if (kms) {
    const errors = kmsErrors(kms, `${at}.kms`, seen);
    seen.kmsNames.add(kms.name);
    return [...count, ...errors];
  }
  if (aesgcm) return [...count, ...keyListErrors(aesgcm, `${at}.aesgcm.keys`, aesSizes)];
  if (aescbc) return [...count, ...keyListErrors(aescbc, `${at}.aescbc.keys`, aesSizes)];
  if (secretbox) return [...count, ...keyListErrors(secretbox, `${at}.secretbox.keys`, secretboxSizes)];
  return count;
}

/** As Go prints its struct: secrets too, which stand in the file of whoever reads this. */
function printedProvider({ aesgcm, aescbc, secretbox, identity, kms }: ProviderConfiguration) {
  const keys = (list: KeyList | undefined) =>
    list ? { Keys: list.keys?.map(({ name, secret }) => ({ Name: name, Secret: secret })) ?? null } : null;
  return {
    AESGCM: keys(aesgcm),
    AESCBC: keys(aescbc),
    Secretbox: keys(secretbox),
    Identity: identity ? {} : null,
    KMS: kms
      ? {
          APIVersion: kms.apiVersion,
          Name: kms.name,
          CacheSize: kms.cacheSize ?? null,
          Endpoint: kms.endpoint,
          Timeout: goDuration(kms.timeout),
        }
      : null,
  };
}

const keyListErrors = ({ keys = [] }: KeyList, at: string, sizes: readonly number[]): readonly FieldError[] =>
  keys.length === 0
    ? [required(at, 'at least one keys is required')]
    : keys.flatMap((key, index) => keyErrors(key, `${at}[${index}]`, sizes));

function keyErrors({ name, secret }: EncryptionKey, at: string, sizes: readonly number[]): readonly FieldError[] {
  const ofName = name === '' ? [required(`${at}.name`, 'name is a mandatory field for a key')] : [];
  if (secret === '') return [...ofName, required(`${at}.secret`, 'secret is a mandatory field for a key')];
  const wrong = (detail: string): readonly FieldError[] => [
    ...ofName,
    invalidValue(`${at}.secret`, 'REDACTED', detail),
  ];
  const bytes = secretBytes(secret);
  if (!bytes) return wrong('secrets must be base64 encoded');
  if (sizes.includes(bytes.length)) return ofName;
  return wrong(`secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(' ')}]`);
}

/** Go's StdEncoding: line ends count for nothing, padding is due. */
export function secretBytes(text: string): Buffer | undefined {
  const bare = text.replace(/[\r\n]/g, '');
  const isBase64 = bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
  return isBase64 ? Buffer.from(bare, 'base64') : undefined;
}

function kmsErrors(kms: KmsConfiguration, at: string, seen: Seen): readonly FieldError[] {
  const { apiVersion, cacheSize, endpoint, timeout } = kms;
  const isV1 = apiVersion === 'v1';
  return [
    ...kmsNameErrors(kms, `${at}.name`, seen),
    ...(timeout <= 0 ? [invalidValue(`${at}.timeout`, goDuration(timeout), 'timeout should be a positive value')] : []),
    ...endpointErrors(endpoint, `${at}.endpoint`),
    ...(!isV1 && cacheSize !== undefined
      ? [invalidValue(`${at}.cachesize`, cacheSize, 'cachesize is not supported in v2')]
      : []),
    ...(isV1 && cacheSize === 0
      ? [invalidValue(`${at}.cachesize`, 0, 'cachesize should be a positive value, or negative to disable')]
      : []),
    ...(isV1 || apiVersion === 'v2'
      ? []
      : [
          invalidValue(
            `${at}.apiVersion`,
            apiVersion,
            'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
          ),
        ]),
  ];
}

function kmsNameErrors(
  { apiVersion, name }: KmsConfiguration,
  at: string,
  { kmsNames, reload }: Seen,
): readonly FieldError[] {
  const isV1 = apiVersion === 'v1';
  return [
    ...(name === '' ? [required(at, 'name is a mandatory field for a provider')] : []),
    ...(!isV1 && name.includes(':')
      ? [invalidValue(at, name, `invalid KMS provider name ${name}, must not contain ':'`)]
      : []),
    ...((reload || !isV1) && kmsNames.has(name)
      ? [invalidValue(at, name, `duplicate KMS provider name ${name}, names must be unique`)]
      : []),
  ];
}

function endpointErrors(endpoint: string, at: string): readonly FieldError[] {
  if (endpoint === '') return [invalidValue(at, '', 'endpoint is a mandatory field for a kms')];
  const url = parseGoUrl(endpoint);
  if (url.outcome === 'unparsable') {
    return [invalidValue(at, endpoint, `invalid endpoint for kms provider, error: ${url.error}`)];
  }
  const { scheme } = url.url;
  if (scheme === 'unix') return [];
  const detail = `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
  return [invalidValue(at, endpoint, detail)];
}
