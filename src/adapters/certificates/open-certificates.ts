import { KeyObject, X509Certificate, createPrivateKey, webcrypto } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, replaceFile } from '../files/portable-files.ts';
import { type CertificateOrder, issueCertificate, type KeyedCertificate, type KeyType } from './issue-certificate.ts';

export interface CertificateOptions {
  /** `--cert-dir`; created when missing. */
  readonly directory: string;
  /** DNS names and addresses of the serving certificate. */
  readonly names: readonly string[];
  /** The user of the kubeconfig. */
  readonly admin: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** `rsa` for a kubeconfig: fabric8's Java client reads no other key without a further library. */
    readonly keyType: KeyType;
  };
}

export interface Certificates {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  readonly admin: KeyedCertificate;
  /** PEM of the key that signs ServiceAccount tokens. */
  readonly serviceAccountKey: string;
}

const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const leafDays = 365;
const renewalDays = 30;

/**
 * Reads CA, certificates and ServiceAccount key of a folder. Replaces those that are missing, near their end, of
 * another CA or without a wanted name; a lock admits one process at a time.
 */
export async function openCertificates(options: CertificateOptions): Promise<Certificates> {
  makeFolder(options.directory, 0o700);
  const stored = readAll(options);
  return isComplete(stored) ? stored : withDirectoryLock(options.directory, () => makeMissing(options));
}

type StoredFiles = { readonly [K in keyof Certificates]: Certificates[K] | undefined };

const isComplete = (stored: StoredFiles): stored is Certificates =>
  Object.values(stored).every((one) => one !== undefined);

function readAll({ directory, names, admin }: CertificateOptions): StoredFiles {
  const authority = readPair(directory, 'ca');
  if (!authority?.read.ca || !isFresh(authority)) {
    return { authority: undefined, serving: undefined, admin: undefined, serviceAccountKey: readKey(directory) };
  }
  const serving = readLeaf(directory, 'apiserver', authority);
  const client = readLeaf(directory, 'admin', authority);
  const known = serving ? namesIn(serving.read) : [];
  return {
    authority: authority.pair,
    serving: names.every((name) => known.includes(name)) ? serving?.pair : undefined,
    admin: client && isFor(client, admin) ? client.pair : undefined,
    serviceAccountKey: readKey(directory),
  };
}

interface ReadPair {
  readonly pair: KeyedCertificate;
  readonly read: X509Certificate;
  readonly key: KeyObject;
}

/** undefined when key and certificate do not match or cannot be parsed. */
function readPair(directory: string, name: string): ReadPair | undefined {
  const pair = { certificate: readText(join(directory, `${name}.crt`)), key: readText(join(directory, `${name}.key`)) };
  try {
    const [read, key] = [new X509Certificate(pair.certificate), createPrivateKey(pair.key)];
    return read.checkPrivateKey(key) ? { pair, read, key } : undefined;
  } catch {
    return undefined;
  }
}

function readLeaf(directory: string, name: string, authority: ReadPair): ReadPair | undefined {
  const leaf = readPair(directory, name);
  return leaf && isFresh(leaf) && leaf.read.verify(authority.read.publicKey) ? leaf : undefined;
}

const isFresh = ({ read: { validFrom, validTo } }: ReadPair): boolean =>
  Date.parse(validFrom) <= Date.now() && Date.parse(validTo) > Date.now() + renewalDays * day;

function isFor({ read, key }: ReadPair, identity: CertificateOptions['admin']): boolean {
  const { commonName, organizations, keyType } = identity;
  if (keyType === 'rsa' && key.asymmetricKeyType !== 'rsa') return false;
  return read.subject === [...organizations.map((one) => `O=${one}`), `CN=${commonName}`].join('\n');
}

function readKey(directory: string): string | undefined {
  const key = readText(join(directory, 'sa.key'));
  try {
    createPrivateKey(key);
    return key;
  } catch {
    return undefined;
  }
}

/** Reads again under the lock: another process may have written meanwhile. */
async function makeMissing(options: CertificateOptions): Promise<Certificates> {
  const { directory, names, admin } = options;
  const stored = readAll(options);
  const authority = stored.authority ?? (await make(directory, 'ca', authorityOrder()));
  // Keeps names of earlier starts, so that two servers with different names do not replace each other's certificate.
  const known = stored.authority ? certificateNames(readText(join(directory, 'apiserver.crt'))) : [];
  const order = { commonName: 'kube-apiserver', purpose: 'server', names: [...new Set([...names, ...known])] } as const;
  return {
    authority,
    serving: stored.serving ?? (await make(directory, 'apiserver', { ...order, ...leafOf(authority) })),
    admin: stored.admin ?? (await make(directory, 'admin', { ...admin, purpose: 'client', ...leafOf(authority) })),
    serviceAccountKey: stored.serviceAccountKey ?? (await makeKey(directory)),
  };
}

// Clocks of containers may be a little behind.
const lifetime = (days: number): Pick<CertificateOrder, 'notBefore' | 'notAfter'> => ({
  notBefore: new Date(Date.now() - day),
  notAfter: new Date(Date.now() + days * day),
});

const authorityOrder = (): CertificateOrder => ({
  // A unique name per CA: clients with an older CA report "unknown authority", not "bad signature".
  commonName: `kadmit-ca@${Math.floor(Date.now() / 1000)}`,
  purpose: 'authority',
  ...lifetime(authorityDays),
});

const leafOf = (issuer: KeyedCertificate): Pick<CertificateOrder, 'notBefore' | 'notAfter' | 'issuer'> => ({
  ...lifetime(leafDays),
  issuer,
});

/** The CA of a folder of `openCertificates`, and a new serving certificate that it signs. */
export async function issueServingCertificate(
  directory: string,
  names: readonly string[],
): Promise<{ readonly ca: string; readonly serving: KeyedCertificate }> {
  const [certificate, key] = ['ca.crt', 'ca.key'].map((name) => readFileSync(join(directory, name), 'utf8'));
  const authority = { certificate: certificate ?? '', key: key ?? '' };
  const order = { commonName: names[0] ?? '', purpose: 'server', names, ...leafOf(authority) } as const;
  return { ca: authority.certificate, serving: await issueCertificate(order) };
}

/** A certificate of a user; its key is RSA, which all client libraries read. */
export const issueClientCertificate = (
  authority: KeyedCertificate,
  subject: Pick<CertificateOrder, 'commonName' | 'organizations' | 'uid'>,
): Promise<KeyedCertificate> =>
  issueCertificate({ ...subject, purpose: 'client', keyType: 'rsa', ...leafOf(authority) });

async function make(directory: string, name: string, order: CertificateOrder): Promise<KeyedCertificate> {
  const pair = await issueCertificate(order);
  writePrivately(join(directory, `${name}.key`), pair.key, 0o600);
  writePrivately(join(directory, `${name}.crt`), pair.certificate, 0o644);
  return pair;
}

async function makeKey(directory: string): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const { privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  writePrivately(join(directory, 'sa.key'), key, 0o600);
  return key;
}

/** DNS names and addresses of a certificate; none if it cannot be parsed. */
export function certificateNames(pem: string): readonly string[] {
  try {
    return namesIn(new X509Certificate(pem));
  } catch {
    return [];
  }
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName
    .split(', ')
    .map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '')
    .map(compressIPv6);

/** OpenSSL prints IPv6 addresses in full. Node's SocketAddress takes milliseconds to load. */
const compressIPv6 = (name: string): string =>
  name.includes(':') && isIPv6(name) ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;

/** '' for a missing file. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Replaces a file atomically; a key is never readable by others. */
function writePrivately(file: string, content: string, mode: number): void {
  const fresh = `${file}.${process.pid}.new`;
  // The mode applies only to a new file.
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, content, { mode, flag: 'wx' });
    replaceFile(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true }); // What a full disk took of it is of no use.
    throw error;
  }
}

const staleMs = 10_000;
const retryMs = 20;

/** Runs `work` under a lock file in the folder; takes over the lock of a dead process. */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = join(directory, '.lock');
  while (!take(lock)) {
    if (isStale(lock)) rmSync(lock, { force: true, recursive: true });
    else await sleep(retryMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  try {
    // A lock from the future: the clock was set back.
    return Math.abs(Date.now() - statSync(lock).mtimeMs) > staleMs;
  } catch {
    return false; // Just given back.
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The CAs that clients trust: kadmit's own and, for another serving certificate, its whole file: the certificate may
 * be self-signed, or its chain contain the CA.
 */
export const trustedBundle = (ownCa: string, servedFile: string): string =>
  [ownCa, ...(servedFile.match(certificate) ?? []).map((block) => `${block}\n`)].join('');
