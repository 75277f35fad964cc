import { structNameOf } from '../../api/types/go-type.ts';

/** JSON names of fields in a pod template that Go spells in another way than with a capital first letter. */
const words: Readonly<Record<string, string>> = {
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

/** Those that are spelled so in one type only. */
const inOneType: Readonly<Record<string, string>> = {
  'GlusterfsVolumeSource endpoints': 'EndpointsName',
  'RBDVolumeSource image': 'RBDImage',
  'RBDVolumeSource monitors': 'CephMonitors',
  'RBDVolumeSource pool': 'RBDPool',
  'RBDVolumeSource user': 'RadosUser',
};

/** Go's name of a field, from its JSON name and the type it is in. Follows k8s.io/api core/v1/types.go. */
export const goNameOf = (type: string, json: string): string =>
  inOneType[`${structNameOf(type)} ${json}`] ?? words[json] ?? json.charAt(0).toUpperCase() + json.slice(1);

/** Go's type of a field where the published schema says less. */
export const goTypeHere = (type: string, json: string): string | undefined =>
  type === 'core.v1.Capabilities' && (json === 'add' || json === 'drop') ? '[]v1.Capability' : undefined;
