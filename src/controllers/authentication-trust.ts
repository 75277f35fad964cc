import { putObject, postObject } from './write-object.ts';
import { asList, asObject, asString, type JsonObject } from '../machinery/json/json.ts';
import { plainValue, readJson } from '../machinery/json/json-reader.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { pemBlocks } from '../machinery/go/pem.ts';
import { ok } from '../machinery/meta/result.ts';
import { apiserverUser } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { ConfigMap } from '../api/types/generated/core-v1.ts';

/** The certificates that a server accepts. */
export interface AuthenticationTrust {
  /** PEM of the CAs of clients. */
  readonly clientCas: string;
  /** PEM of the CAs of front proxies ('' for none), with the headers that they set. */
  readonly proxyCas: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Has the certificate (base64 DER) expired? Expired ones are not published. */
  readonly isExpired: (base64: string) => boolean;
}

type TrustData = Readonly<Record<string, string>>;

const configMaps = coreV1('configmaps');
const [namespace, name] = ['kube-system', 'extension-apiserver-authentication'];
const userAgent = 'kube-apiserver';
const resyncMs = 60_000;

/**
 * Maintains the ConfigMap with the CAs for extension API servers: restored when it is deleted, within a minute when
 * it is changed. Entries of others stay. Follows kubernetes
 * pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go.
 */
export const authenticationTrustController =
  (trust: AuthenticationTrust): Controller =>
  (context) => {
    const client = context.clientFor(apiserverUser, userAgent);
    const queue = createWorkQueue(
      () => name,
      () => {
        queue.addAfter(undefined, resyncMs);
        const current: ConfigMap | undefined = context.store.get(configMaps, namespace, name);
        const before = asObject(current?.data);
        const data = mergeTrustData(before, trust);
        if (sameJson(data, before)) return Promise.resolve(ok(undefined));
        if (current) return putObject(client, configMaps, { ...current, data });
        const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace, name }, data };
        return postObject(client, configMaps, body);
      },
      context,
    );
    followResource(context, configMaps, ({ type, object }) => {
      const metadata = metadataOf(object);
      if (type === 'removed' && metadata.name === name && metadata.namespace === namespace) queue.add(undefined);
    });
    queue.add(undefined);
    return queue.progress;
  };

/** The published entries, with those of this server. */
function mergeTrustData(before: JsonObject, trust: AuthenticationTrust): TrustData {
  const textOf = (field: string): string => asString(before[field]);
  const certificates = (field: string, own: string): string =>
    mergeCertificates(`${textOf(field)}\n${own}`, trust.isExpired);
  const names = (field: string, own: readonly string[]): string =>
    JSON.stringify([...new Set([...parseList(textOf(field)), ...own])]);
  const clients = certificates('client-ca-file', trust.clientCas);
  const proxies = certificates('requestheader-client-ca-file', trust.proxyCas);
  const uidHeaders = names('requestheader-uid-headers', trust.uidHeaders);
  return {
    ...(clients === '' ? {} : { 'client-ca-file': clients }),
    ...(proxies === ''
      ? {}
      : {
          'requestheader-allowed-names': names('requestheader-allowed-names', trust.allowedNames),
          'requestheader-client-ca-file': proxies,
          'requestheader-extra-headers-prefix': names('requestheader-extra-headers-prefix', trust.extraHeaderPrefixes),
          'requestheader-group-headers': names('requestheader-group-headers', trust.groupHeaders),
          ...(uidHeaders === '[]' ? {} : { 'requestheader-uid-headers': uidHeaders }),
          'requestheader-username-headers': names('requestheader-username-headers', trust.usernameHeaders),
        }),
  };
}

function parseList(text: string): readonly string[] {
  const reading = readJson(text);
  const items = reading.outcome === 'read' ? asList(plainValue(reading.json.value)) : [];
  return items.filter((item) => typeof item === 'string');
}

/** Each certificate once, as Go prints them. */
function mergeCertificates(text: string, isExpired: (base64: string) => boolean): string {
  const certificates = [...pemBlocks(text)].flatMap(({ type, hasHeaders, base64 }) =>
    type === 'CERTIFICATE' && !hasHeaders && !isExpired(base64) ? [base64] : [],
  );
  return [...new Set(certificates)]
    .map((base64) => `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`)
    .join('');
}
