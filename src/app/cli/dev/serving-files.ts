import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { issueServingCertificate } from '../../../adapters/certificates/open-certificates.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';

/** The certificate that the command is to serve, in a folder. The names are those of controller-runtime. */
export interface ServingFiles {
  readonly folder: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** Makes a certificate for these Services, `NAMESPACE/NAME`. */
  readonly issue: (services: readonly string[]) => Promise<IssuedCertificate>;
  /** Removes the files, and a temporary folder. */
  readonly remove: () => void;
}

export interface IssuedCertificate {
  readonly certificate: string;
  readonly ca: string;
}

/**
 * Opens a temporary folder, or the given one, of mode 0700. `caFolder` has the CA of the server. Throws ConfigError for a folder
 * with a certificate of another CA.
 */
export function openServingFiles(given: string, caFolder: string): ServingFiles {
  const folder = given === '' ? mkdtempSync(join(tmpdir(), 'kadmit-dev-')) : resolve(given);
  const [certFile, keyFile, caFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key'), join(folder, 'ca.crt')];
  if (given !== '') {
    makeFolder(folder, 0o700);
    if (existsSync(keyFile) && !isIssuedByKadmit(certFile))
      throw new ConfigError(`--cert-dir ${given} has a tls.key that is not kadmit's: name another folder`);
  }
  return {
    folder,
    certFile,
    keyFile,
    caFile,
    issue: async (services) => {
      const { ca, serving } = await issueServingCertificate(caFolder, servingNames(services));
      writeFileSync(keyFile, serving.key, { mode: 0o600 });
      writeFileSync(certFile, serving.certificate);
      writeFileSync(caFile, ca);
      return { certificate: serving.certificate, ca };
    },
    remove: () => {
      if (given === '') rmSync(folder, { recursive: true, force: true });
      else [certFile, keyFile, caFile].forEach((file) => rmSync(file, { force: true }));
    },
  };
}

function isIssuedByKadmit(certFile: string): boolean {
  try {
    return new X509Certificate(readFileSync(certFile)).issuer.startsWith('CN=kadmit-ca@');
  } catch {
    return false;
  }
}

/** The cluster DNS names of the Services, and this machine. */
const servingNames = (services: readonly string[]): readonly string[] => [
  'localhost',
  ...services.flatMap((service) => {
    const [namespace = '', name = ''] = service.split('/');
    const short = `${name}.${namespace}`;
    return [`${short}.svc`, short, `${short}.svc.cluster.local`];
  }),
  '127.0.0.1',
  '::1',
];
