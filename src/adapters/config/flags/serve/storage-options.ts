import type { ServerConfig } from '../../server-config.ts';
import { textFlag } from '../common-flags.ts';
import { readBoolean, readNames, readPeriod } from '../flag-readers.ts';
import type { FlagsOf } from '../flags.ts';

type Fields =
  | 'dataDir'
  | 'dataSync'
  | 'etcdServers'
  | 'etcdCafile'
  | 'etcdCertfile'
  | 'etcdKeyfile'
  | 'etcdPrefix'
  | 'eventTtl';

/** See docs/storage.md. */
export const storageFlags: FlagsOf<Pick<ServerConfig, Fields>> = {
  dataDir: textFlag(
    'data-dir',
    'FOLDER',
    'keep the objects in this folder, for the next start; without it they are in memory alone',
  ),
  dataSync: {
    name: 'data-sync',
    argument: 'true|false',
    help:
      'answer a write of --data-dir when the disk has it; false: when the operating system has it, which loses it if the ' +
      'machine fails, not if kadmit does',
    fallback: true,
    read: readBoolean,
    isSwitch: true,
  },
  etcdServers: {
    name: 'etcd-servers',
    argument: 'URL[,URL]',
    help: 'keep the objects in this etcd (3.4 or later), as kube-apiserver does; without it they are in memory alone',
    fallback: [],
    read: readNames,
  },
  etcdCafile: textFlag('etcd-cafile', 'FILE', 'CAs (PEM) of the servers of --etcd-servers'),
  etcdCertfile: textFlag('etcd-certfile', 'FILE', 'a client certificate (PEM) for --etcd-servers'),
  etcdKeyfile: textFlag('etcd-keyfile', 'FILE', 'the key (PEM) of --etcd-certfile'),
  etcdPrefix: textFlag('etcd-prefix', 'PATH', 'what all keys in etcd begin with', '/registry'),
  eventTtl: {
    name: 'event-ttl',
    argument: 'DURATION',
    help: 'how long Events are kept since they were last written, such as 30m; 0: for good',
    fallback: 3_600_000,
    shownFallback: '1h0m0s',
    read: readPeriod,
  },
};
