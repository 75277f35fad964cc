import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { LoadedManifest } from '../../../testing/scenario/format.ts';
import { requestMap } from '../map/map.ts';
import { applyManifests } from './apply-manifests.ts';
import type { Backend } from './backend.ts';
import { isLocal, originsIn, readDevManifests, servicesIn, withServiceCa } from './manifests.ts';
import type { IssuedCertificate, ServingFiles } from './serving-files.ts';

/** The manifests of `-f`, whose Services are routed to the command. */
export interface DevConfigurations {
  readonly manifests: () => readonly LoadedManifest[];
  /** After the command listens: routes the Services to it, and applies the manifests if they or the protocol changed. */
  readonly connect: (backend: Backend) => Promise<void>;
  /** The serving certificate of the command (PEM). */
  readonly certificate: () => string;
  /** After a file changed: applies the manifests. True if the command needs a certificate with other names first. */
  readonly reload: () => Promise<boolean>;
}

interface ConfigurationParts {
  readonly paths: readonly string[];
  readonly access: ServerAccess;
  readonly files: ServingFiles;
  /** Of the command. */
  readonly name: string;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Issues the certificate. Rejects with ConfigError for bad manifests. */
export async function openConfigurations(parts: ConfigurationParts): Promise<DevConfigurations> {
  const { paths, access, files, name, say, warn } = parts;
  let manifests = readDevManifests(paths);
  let issued: IssuedCertificate = await files.issue(servicesIn(manifests));
  let protocol: Backend['protocol'] | undefined;
  let isApplied = false;

  const apply = async (): Promise<void> => {
    const ca = protocol === 'given certificate' ? issued.ca : '';
    const ready = manifests.map(({ object, place }) => ({ object: withServiceCa(object, ca), place }));
    const failures = await applyManifests(ready, access);
    isApplied = true;
    failures.forEach(warn);
    if (ready.length > 0) say(`applied ${ready.length - failures.length} of ${countWords(ready.length, 'object')}`);
  };

  return {
    manifests: () => manifests,
    certificate: () => issued.certificate,
    connect: async ({ host, port, ...backend }) => {
      const before = protocol;
      protocol = backend.protocol;
      const services = servicesIn(manifests);
      const origins = originsIn(manifests);
      const local = origins.filter(isLocal);
      const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      const url = `${protocol === 'plain HTTP' ? 'http' : 'https'}://${address}`;
      const routed = services.length + local.length > 0 ? [...services, ...local] : ['*'];
      for (const from of routed) await requestMap(access, { set: `${from}=${url}`, program: name });
      say(`${name} ${protocolWords[protocol]} on port ${port}; ${routeWords(services, local)} to it`);
      for (const origin of origins.filter((one) => !isLocal(one)))
        warn(
          `${origin} is not this machine: its webhooks are called there; --map ${origin}=${url} routes them to ${name}`,
        );
      if (!isApplied || protocol !== before) await apply();
    },
    reload: async () => {
      const known = servicesIn(manifests);
      manifests = readDevManifests(paths);
      isApplied = false;
      const services = servicesIn(manifests);
      const isNew = services.some((service) => !known.includes(service));
      if (isNew) issued = await files.issue(services);
      else if (protocol !== undefined) await apply();
      return isNew;
    },
  };
}

const protocolWords: Readonly<Record<Backend['protocol'], string>> = {
  'given certificate': 'serves the certificate of kadmit',
  'own certificate': 'serves a certificate of its own, which is not verified unless a caBundle is set,',
  'plain HTTP': 'serves plain HTTP (a cluster requires TLS)',
};

function routeWords(services: readonly string[], origins: readonly string[]): string {
  const all = [...services, ...origins];
  if (all.length === 0) return 'every Service is routed';
  const noun = services.length === 0 ? '' : `${services.length === 1 ? 'Service' : 'Services'} `;
  return `${noun}${all.join(', ')} ${all.length === 1 ? 'is' : 'are'} routed`;
}

const countWords = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
