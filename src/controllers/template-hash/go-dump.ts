import type { BuiltinTypes } from '../../api/types/builtin-types.ts';
import { formatGoType, structName, type Field, type Scalar, type TypeRef } from '../../api/types/type-info.ts';
import { asList, asObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { parseQuantity } from '../../machinery/meta/quantity.ts';

/**
 * Prints a struct as Go does for hashing: every field with its type, pointers followed, maps sorted; empty lists and
 * maps are nil, as protobuf decodes them. Follows apimachinery pkg/util/dump ForHash.
 */
export const dumpStruct = (types: BuiltinTypes, type: string, value: JsonObject): string =>
  structText(types, type, value, `(${formatGoType({ type: 'named', name: type })})`);

function structText(types: BuiltinTypes, type: string, value: JsonObject, before: string): string {
  const info = types.typeInfo(type);
  const fields = info?.is === 'struct' ? info.fields : [];
  let stringText = `${before}{`;
  for (const [at, field] of fields.entries())
    stringText = fieldText(types, [type, field], value, at === 0 ? stringText : `${stringText} `);
  return `${stringText}}`;
}

function fieldText(
  types: BuiltinTypes,
  [owner, field]: readonly [owner: string, field: Field],
  value: JsonObject,
  before: string,
): string {
  const { name, type, pointer } = field;
  if (name === '' && type.type === 'named') {
    return structText(types, type.name, value, `${before}${structName(type.name)}:(${formatGoType(type)})`);
  }
  const goType = goTypeOverride(owner, name) ?? field.goType ?? formatGoType(type);
  const given = value[name];
  const isNil = pointer && (given === undefined || given === null);
  const named = `${before}${goNameOf(owner, name)}:(${pointer ? '*' : ''}${goType})`;
  return isNil ? `${named}<nil>` : valueText(types, type, given, named);
}

/** Elements of lists and maps have no type. */
function valueText(types: BuiltinTypes, type: TypeRef, value: JsonValue | undefined, before: string): string {
  if (type.type === 'scalar') return before + scalarText[type.scalar](value);
  if (type.type === 'list') return listText(types, type.of, asList(value), before);
  if (type.type === 'map') return mapText(types, type.of, asObject(value), before);
  const info = types.typeInfo(type.name);
  return info?.is === 'alias'
    ? valueText(types, info.of, value, before)
    : structText(types, type.name, asObject(value), before);
}

function listText(types: BuiltinTypes, of: TypeRef, items: readonly JsonValue[], before: string): string {
  if (items.length === 0) return `${before}<nil>`;
  let text = `${before}[`;
  for (const [at, item] of items.entries()) {
    text = valueText(types, of, item, at === 0 ? text : `${text} `);
  }
  return `${text}]`;
}

function mapText(types: BuiltinTypes, of: TypeRef, entries: JsonObject, before: string): string {
  const keys = Object.keys(entries).sort();
  if (keys.length === 0) return `${before}<nil>`;
  let text = `${before}map[`;
  for (const [at, key] of keys.entries())
    text = valueText(types, of, entries[key], `${at === 0 ? text : `${text} `}${key}:`);
  return `${text}]`;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const numberText = (value: JsonValue | undefined): string => (typeof value === 'number' ? String(value) : '0');
const zeroTime = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';

const scalarText: Readonly<Record<Scalar, (value: JsonValue | undefined) => string>> = {
  string: text,
  bool: (value) => String(value === true),
  int32: numberText,
  int64: numberText,
  float64: numberText,
  bytes: text,
  quantity: quantityDump,
  intstr: (value) =>
    typeof value === 'string'
      ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
      : `{Type:(intstr.Type)0 IntVal:(int32)${numberText(value)} StrVal:(string)}`,
  // A template has no times.
  time: () => zeroTime,
  microtime: () => zeroTime,
  duration: numberText,
  raw: text,
  fieldsv1: text,
  json: text,
  any: text,
};

function quantityDump(value: JsonValue | undefined): string {
  const reading = parseQuantity(typeof value === 'number' ? String(value) : text(value));
  const quantity = reading.outcome === 'parsed' ? reading.quantity : { value: 0n, scale: 0, text: '', format: '' };
  const amount = `i:(resource.int64Amount){value:(int64)${quantity.value} scale:(resource.Scale)${quantity.scale}}`;
  const none = 'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
  return `{${amount} ${none} s:(string)${quantity.text ?? ''} Format:(resource.Format)${quantity.format}}`;
}

/** JSON names in a pod template that differ from Go's by more than a capital letter. */
const goNames: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  chapAuthDiscovery: 'DiscoveryCHAPAuth',
  chapAuthSession: 'SessionCHAPAuth',
  csi: 'CSI',
  diskURI: 'DataDiskURI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  grpc: 'GRPC',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  ip: 'IP',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  iscsiInterface: 'ISCSIInterface',
  metadata: 'ObjectMeta',
  nfs: 'NFS',
  os: 'OS',
  pdName: 'PDName',
  rbd: 'RBD',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  serviceAccount: 'DeprecatedServiceAccount',
  sslEnabled: 'SSLEnabled',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
  uid: 'UID',
  wwids: 'WWIDs',
};

/** Names that differ in one type only. */
const goNamesByType: Readonly<Record<string, string>> = {
  'GlusterfsVolumeSource endpoints': 'EndpointsName',
  'RBDVolumeSource image': 'RBDImage',
  'RBDVolumeSource monitors': 'CephMonitors',
  'RBDVolumeSource pool': 'RBDPool',
  'RBDVolumeSource user': 'RadosUser',
};

/** Go's field name for a JSON name and type. Follows k8s.io/api core/v1/types.go. */
const goNameOf = (type: string, json: string): string =>
  goNamesByType[`${structName(type)} ${json}`] ?? goNames[json] ?? json.charAt(0).toUpperCase() + json.slice(1);

/** Go's field types where the published schema is not precise. */
const goTypeOverride = (type: string, json: string): string | undefined =>
  type === 'core.v1.Capabilities' && (json === 'add' || json === 'drop') ? '[]v1.Capability' : undefined;
