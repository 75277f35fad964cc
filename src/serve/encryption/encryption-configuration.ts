import { read, readConfiguration, unreadable } from '../../admission/settings/configuration-document.ts';
import type { ConfigurationKind, Reading } from '../../admission/settings/configuration-document.ts';
import type { FieldReader, Fields, StructPath } from '../../apimachinery/decode-fields.ts';
import { goDurationFault, readGoDuration } from '../../apimachinery/go-duration.ts';

/** An EncryptionConfiguration: earlier entries win. */
export type EncryptionConfiguration = readonly ResourceEncryption[];

export interface ResourceEncryption {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly ProviderConfiguration[];
}

/** One of them is to be set. */
export interface ProviderConfiguration {
  readonly aesgcm?: KeyList | undefined;
  readonly aescbc?: KeyList | undefined;
  readonly secretbox?: KeyList | undefined;
  readonly identity?: object | undefined;
  readonly kms?: KmsConfiguration | undefined;
}

export interface KeyList {
  /** undefined: not said. */
  readonly keys: readonly EncryptionKey[] | undefined;
}

export interface EncryptionKey {
  readonly name: string;
  /** Base64. */
  readonly secret: string;
}

export interface KmsConfiguration {
  readonly apiVersion: string;
  readonly name: string;
  readonly cacheSize: number | undefined;
  readonly endpoint: string;
  /** Milliseconds. */
  readonly timeout: number;
}

const group = 'apiserver.config.k8s.io';
const kind: ConfigurationKind = {
  names: [
    [`${group}/v1`, 'EncryptionConfiguration'],
    // As it was called when it was experimental.
    ['v1', 'EncryptionConfig'],
  ],
  scheme: 'k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go:142',
};

const others = [
  'AdmissionConfiguration',
  'AuthenticationConfiguration',
  'AuthorizationConfiguration',
  'TracingConfiguration',
];

/**
 * Decodes an EncryptionConfiguration strictly and fills in what is not said; nothing of it has been validated.
 * Follows apiserver pkg/server/options/encryptionconfig/config.go loadConfig and pkg/apis/apiserver/v1/defaults.go.
 */
export function readEncryptionConfiguration(text: string, path: string): Reading<EncryptionConfiguration> {
  const durations: string[] = [];
  const decoded = readConfiguration(text, { ...kind, names: [...kind.names, ...otherNames] }, (fields, reader) => {
    const other = others.find((name) => name === fields['kind']);
    if (other !== undefined) return other;
    reader.only(fields, ['apiVersion', 'kind', 'resources'], '');
    return reader
      .objects(fields, 'resources', { struct: 'EncryptionConfiguration', path: '' }, 'v1.ResourceConfiguration')
      .map((entry, index) => resourcesIn(entry, `resources[${index}]`, { reader, durations }));
  });
  const fault = decoded.ok || !decoded.error.startsWith('json:') ? durations[0] : undefined;
  const error = fault ?? (decoded.ok ? undefined : decoded.error);
  if (error !== undefined) {
    return unreadable(`error decoding encryption provider configuration file ${JSON.stringify(path)}: ${error}`);
  }
  if (!decoded.ok) return decoded;
  return typeof decoded.value === 'string'
    ? unreadable(`got unexpected config type: ${group}/v1, Kind=${decoded.value}`)
    : read(decoded.value);
}

const otherNames = others.map((name) => [`${group}/v1`, name] as const);

interface Decoding {
  readonly reader: FieldReader;
  /** What is wrong with durations. */
  readonly durations: string[];
}

function resourcesIn(entry: Fields, at: string, decoding: Decoding): ResourceEncryption {
  const { reader } = decoding;
  const place: StructPath = { struct: 'ResourceConfiguration', path: 'resources' };
  reader.only(entry, ['resources', 'providers'], at);
  return {
    resources: reader.texts(entry, 'resources', place),
    providers: reader
      .objects(entry, 'providers', place, 'v1.ProviderConfiguration')
      .map((provider, index) => providerIn(provider, `${at}.providers[${index}]`, decoding)),
  };
}

function providerIn(fields: Fields, at: string, decoding: Decoding): ProviderConfiguration {
  const { reader } = decoding;
  const place: StructPath = { struct: 'ProviderConfiguration', path: 'resources.providers' };
  reader.only(fields, ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'], at);
  const keysOf = (name: 'aesgcm' | 'aescbc' | 'secretbox'): KeyList | undefined => {
    const struct = name === 'secretbox' ? 'SecretboxConfiguration' : 'AESConfiguration';
    const said = reader.object(fields, name, place, `v1.${struct}`);
    return isSaid(fields, name) ? keysIn(said, { struct, name, at: `${at}.${name}` }, reader) : undefined;
  };
  const identity = reader.object(fields, 'identity', place, 'v1.IdentityConfiguration');
  reader.only(identity, [], `${at}.identity`);
  const kms = reader.object(fields, 'kms', place, 'v1.KMSConfiguration');
  return {
    aesgcm: keysOf('aesgcm'),
    aescbc: keysOf('aescbc'),
    secretbox: keysOf('secretbox'),
    identity: isSaid(fields, 'identity') ? {} : undefined,
    kms: isSaid(fields, 'kms') ? kmsIn(kms, `${at}.kms`, decoding) : undefined,
  };
}

const isSaid = (fields: Fields, name: string): boolean => (fields[name] ?? null) !== null;

function keysIn(
  fields: Fields,
  { struct, name, at }: { readonly struct: string; readonly name: string; readonly at: string },
  reader: FieldReader,
): KeyList {
  const path = `resources.providers.${name}`;
  reader.only(fields, ['keys'], at);
  const inKey: StructPath = { struct: 'Key', path: `${path}.keys` };
  const keys = reader.objects(fields, 'keys', { struct, path }, 'v1.Key').map((key, index) => {
    reader.only(key, ['name', 'secret'], `${at}.keys[${index}]`);
    return { name: reader.text(key, 'name', inKey), secret: reader.text(key, 'secret', inKey) };
  });
  return { keys: isSaid(fields, 'keys') ? keys : undefined };
}

const threeSeconds = 3000;

function kmsIn(fields: Fields, at: string, { reader, durations }: Decoding): KmsConfiguration {
  const place: StructPath = { struct: 'KMSConfiguration', path: 'resources.providers.kms' };
  reader.only(fields, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout'], at);
  const timeout = reader.text(fields, 'timeout', place);
  const fault = isSaid(fields, 'timeout') ? goDurationFault(timeout) : undefined;
  if (fault !== undefined) durations.push(fault);
  const apiVersion = reader.text(fields, 'apiVersion', place) || 'v1';
  const size = reader.whole(fields, 'cachesize', place, 'int32');
  const cacheSize = isSaid(fields, 'cachesize') ? size : undefined;
  return {
    apiVersion,
    name: reader.text(fields, 'name', place),
    cacheSize: cacheSize ?? (apiVersion === 'v1' ? 1000 : undefined),
    endpoint: reader.text(fields, 'endpoint', place),
    timeout: isSaid(fields, 'timeout') ? (readGoDuration(timeout) ?? 0) : threeSeconds,
  };
}
