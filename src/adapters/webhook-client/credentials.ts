import { createSecureContext } from 'node:tls';
import { errorText } from '../../machinery/errors.ts';
import type { Kubeconfig, KubeconfigUser, Material } from '../../apiserver/admission/configuration/kubeconfig.ts';
import { readRegularFile } from '../files/bounded-file.ts';
import { hostPort, systemError } from './network-error.ts';

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** PEM, used in the handshake. */
  readonly identity?: Identity;
}

export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

type CredentialsReading =
  | { readonly outcome: 'read'; readonly credentials: Credentials }
  | { readonly outcome: 'unreadable'; readonly error: string };

const anonymous: CredentialsReading = { outcome: 'read', credentials: { headers: {} } };

/**
 * The user for a target: its own entry, then the narrowest `*.` suffix, for port 443 both again without the port,
 * then `*`, then the current context's user. Follows apiserver pkg/util/webhook/authentication.go.
 */
export function userFor({ users, currentUser }: Kubeconfig, host: string, port: number): KubeconfigUser | undefined {
  if (users.size === 0) return currentUser;
  const targets = [hostPort(host, port), ...(port === 443 ? [host] : [])];
  const names = [...targets.flatMap(namesFor), '*'];
  const found = names.find((name) => users.has(name));
  return found === undefined ? currentUser : users.get(found);
}

function namesFor(target: string): readonly string[] {
  const parts = target.split('.');
  return [target, ...parts.slice(1).map((_part, index) => `*.${parts.slice(index + 1).join('.')}`)];
}

/** Reads files for each call. Follows client-go transport/{transport,round_trippers}.go. */
export function readCredentials(user: KubeconfigUser | undefined): CredentialsReading {
  if (user === undefined) return anonymous;
  if (user.unusable !== '') return unreadable(user.unusable);
  try {
    const token = tokenOf(user);
    const isBasic = user.username !== '' || user.password !== '';
    if (isBasic && token !== '') return unreadable('username/password or bearer token may be set, but not both');
    const authorization = token === '' ? isBasic && basic(user) : `Bearer ${token}`;
    const identity = identityOf(user);
    if (identity) createSecureContext({ cert: identity.certificate, key: identity.key });
    const headers: Credentials['headers'] = authorization ? { authorization } : {};
    return { outcome: 'read', credentials: { headers, ...(identity && { identity }) } };
  } catch (error) {
    return unreadable(reasonOf(error));
  }
}

const unreadable = (error: string): CredentialsReading => ({ outcome: 'unreadable', error });

/** A readable file wins over an inline token. */
function tokenOf({ token, tokenFile }: KubeconfigUser): string {
  if (tokenFile === '') return token;
  try {
    return readRegularFile(tokenFile).trim() || token;
  } catch (error) {
    if (token === '') throw error;
    return token;
  }
}

const basic = ({ username, password }: KubeconfigUser): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

function identityOf({ certificate, key }: KubeconfigUser): Identity | undefined {
  if (certificate === undefined) return undefined;
  return { certificate: textOf(certificate), key: key === undefined ? '' : textOf(key) };
}

const textOf = (material: Material): string =>
  'file' in material ? readRegularFile(material.file) : Buffer.from(material.base64, 'base64').toString('latin1');

function reasonOf(error: unknown): string {
  const { code } = systemError(error);
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'tls: private key does not match public key';
  if (code === 'ERR_OSSL_PEM_NO_START_LINE') return 'tls: failed to find any PEM data in certificate input';
  const path: unknown = error instanceof Error && 'path' in error ? error.path : undefined;
  if (code === 'ENOENT' && typeof path === 'string') return `open ${path}: no such file or directory`;
  return errorText(error);
}
