import { readNames, readPeriod, switchFlag, textFlag } from '../common-flags.ts';

/** See docs/reference/storage.md. */
export const storageFlags = {
  dataDir: textFlag('data-dir', 'FOLDER', 'store objects in this folder; default: in memory'),
  dataSync: switchFlag(
    'data-sync',
    'with --data-dir, respond to a write when the disk has it; false: when the operating system has it, so that a crash ' +
      'of the machine loses it',
    true,
  ),
  etcdServers: {
    name: 'etcd-servers',
    argument: 'URL[,URL]',
    help: 'store objects in this etcd (3.4 or later), as kube-apiserver does; default: in memory',
    fallback: [],
    read: readNames,
  },
  etcdCafile: textFlag('etcd-cafile', 'FILE', 'CAs (PEM) of the servers of --etcd-servers'),
  etcdCertfile: textFlag('etcd-certfile', 'FILE', 'a client certificate (PEM) for --etcd-servers'),
  etcdKeyfile: textFlag('etcd-keyfile', 'FILE', 'the key (PEM) of --etcd-certfile'),
  etcdPrefix: textFlag('etcd-prefix', 'PATH', 'the prefix of all keys in etcd', '/registry'),
  eventTtl: {
    name: 'event-ttl',
    argument: 'DURATION',
    help: 'how long Events are kept after their last write, such as 30m; 0: forever',
    fallback: 3_600_000,
    shownFallback: '1h0m0s',
    read: readPeriod,
  },
};
