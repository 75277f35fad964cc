import { existsSync } from 'node:fs';
import { openDocument, readConfiguration } from '../admission/settings/configuration-document.ts';
import type { ConfigurationKind, Reading } from '../admission/settings/configuration-document.ts';
import type { FieldReader, Fields } from '../apimachinery/decode-fields.ts';
import {
  duplicate,
  fieldErrorText,
  invalidValue,
  notSupported,
  notSupportedText,
  required,
} from '../apimachinery/field-error.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { attempt } from '../config/attempt.ts';
import { readBoundedFile } from '../files/bounded-file.ts';
import { commandFailed } from '../config/start-failure.ts';
import { aggregated } from '../config/upstream/validate-options.ts';

/** How connections of one kind leave: to webhooks (`cluster`), to who decides and records (`controlplane`), to etcd. */
export interface EgressSelection {
  readonly name: string;
  /** Direct, HTTPConnect or GRPC. */
  readonly protocol: string;
  readonly transport: EgressTransport | undefined;
}

export interface EgressTransport {
  readonly tcp: { readonly url: string; readonly tls: EgressTls | undefined } | undefined;
  readonly uds: { readonly name: string } | undefined;
}

/** Files. */
export interface EgressTls {
  readonly caBundle: string;
  readonly clientCert: string;
  readonly clientKey: string;
}

const group = 'apiserver.k8s.io';
const kindName = 'EgressSelectorConfiguration';
const kind: ConfigurationKind = {
  names: ['v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, kindName]),
  scheme: 'k8s.io/apiserver/pkg/server/egressselector/config.go:33',
};
const names = ['cluster', 'controlplane', 'etcd'];
const protocols = ['Direct', 'HTTPConnect', 'GRPC'];

/** Reads the file of --egress-selector-config-file. Throws StartFailure. Follows apiserver pkg/server/options/egress_selector.go. */
export function openEgressConfiguration(path: string): readonly EgressSelection[] {
  const failed = (error: string): Error => commandFailed(`failed to read egress selector config: ${error}`);
  const file = attempt(() => readBoundedFile(path));
  if (!file.ok) {
    const call = file.error === 'is a directory' ? 'read' : 'open';
    const from = JSON.stringify(path);
    throw failed(`unable to read egress selector configuration from ${from} [${call} ${path}: ${file.error}]`);
  }
  const reading = readEgress(file.value);
  if (!reading.ok) throw failed(reading.error);
  const problem = aggregated(egressErrors(reading.value).map(fieldErrorText));
  if (problem !== undefined) throw commandFailed(`failed to validate egress selector configuration: ${problem}`);
  return reading.value.map(({ name, ...rest }) => ({ ...rest, name: name.toLowerCase() }));
}

function readEgress(text: string): Reading<readonly EgressSelection[]> {
  const document = openDocument(text);
  const version = document.ok ? (document.value.apiVersion.split('/')[1] ?? '') : '';
  return readConfiguration(text, kind, (fields, reader) => {
    reader.only(fields, ['apiVersion', 'kind', 'egressSelections'], '');
    const type = `${version}.EgressSelection`;
    return reader
      .objects(fields, 'egressSelections', { struct: kindName, path: '' }, type)
      .map((entry, index) => selectionIn(entry, `egressSelections[${index}]`, { reader, version }));
  });
}

interface Decoding {
  readonly reader: FieldReader;
  readonly version: string;
}

const root = 'egressSelections';

function selectionIn(entry: Fields, at: string, { reader, version }: Decoding): EgressSelection {
  const place = { struct: 'EgressSelection', path: root };
  reader.only(entry, ['name', 'connection'], at);
  const said = reader.text(entry, 'name', place);
  const connection = reader.object(entry, 'connection', place, `${version}.Connection`);
  reader.only(connection, ['proxyProtocol', 'transport'], `${at}.connection`);
  const inConnection = { struct: 'Connection', path: `${root}.connection` };
  const transport = reader.object(connection, 'transport', inConnection, `${version}.Transport`);
  return {
    // As it was called before.
    name: said === 'master' ? 'controlplane' : said,
    protocol: reader.text(connection, 'proxyProtocol', inConnection),
    transport: isSaid(connection, 'transport')
      ? transportIn(transport, `${at}.connection.transport`, { reader, version })
      : undefined,
  };
}

const isSaid = (fields: Fields, name: string): boolean => (fields[name] ?? null) !== null;

function transportIn(fields: Fields, at: string, { reader, version }: Decoding): EgressTransport {
  const path = `${root}.connection.transport`;
  const place = { struct: 'Transport', path };
  reader.only(fields, ['tcp', 'uds'], at);
  const tcp = reader.object(fields, 'tcp', place, `${version}.TCPTransport`);
  reader.only(tcp, ['url', 'tlsConfig'], `${at}.tcp`);
  const inTcp = { struct: 'TCPTransport', path: `${path}.tcp` };
  const tls = reader.object(tcp, 'tlsConfig', inTcp, `${version}.TLSConfig`);
  reader.only(tls, ['caBundle', 'clientKey', 'clientCert'], `${at}.tcp.tlsConfig`);
  const inTls = { struct: 'TLSConfig', path: `${path}.tcp.tlsConfig` };
  const uds = reader.object(fields, 'uds', place, `${version}.UDSTransport`);
  reader.only(uds, ['udsName'], `${at}.uds`);
  const files = {
    caBundle: reader.text(tls, 'caBundle', inTls),
    clientCert: reader.text(tls, 'clientCert', inTls),
    clientKey: reader.text(tls, 'clientKey', inTls),
  };
  const url = reader.text(tcp, 'url', inTcp);
  const name = reader.text(uds, 'udsName', { struct: 'UDSTransport', path: `${path}.uds` });
  return {
    tcp: isSaid(fields, 'tcp') ? { url, tls: isSaid(tcp, 'tlsConfig') ? files : undefined } : undefined,
    uds: isSaid(fields, 'uds') ? { name } : undefined,
  };
}

const at = 'service.connection';

/** Follows apiserver pkg/server/egressselector/config.go ValidateEgressSelectorConfiguration. */
function egressErrors(selections: readonly EgressSelection[]): readonly FieldError[] {
  const seen = new Set<string>();
  const ofNames = selections.flatMap(({ name }, index) => {
    const canonical = name.toLowerCase();
    if (seen.has(canonical)) return [duplicate(`${at}[${index}]`, canonical)];
    seen.add(canonical);
    return names.includes(canonical) ? [] : [notSupportedText(at, canonical, names)];
  });
  return [...selections.flatMap(connectionErrors), ...ofNames];
}

function connectionErrors({ protocol, transport }: EgressSelection): readonly FieldError[] {
  if (!protocols.includes(protocol)) return [notSupported(`${at}.protocol`, protocol, protocols)];
  if (protocol === 'Direct') {
    return transport ? [invalidValue(`${at}.transport`, 'direct', 'config must be absent for direct connect')] : [];
  }
  if (!transport) return [required(`${at}.transport`, `transport must be set for ${protocol}`)];
  const { tcp, uds } = transport;
  if (protocol === 'GRPC') return uds ? udsErrors(uds) : [required(`${at}.uds`, 'UDS must be set with GRPC')];
  if (tcp && uds) return [invalidValue(`${at}.tcp`, printedTcp(tcp), 'TCP and UDS cannot both be set')];
  if (tcp) return tcpErrors(tcp);
  return uds ? udsErrors(uds) : [required(`${at}.tcp`, 'One of TCP or UDS must be set')];
}

const udsErrors = ({ name }: { readonly name: string }): readonly FieldError[] =>
  name === '' ? [invalidValue(`${at}.udsName`, 'nil', 'must be present for UDS connections')] : [];

type Tcp = NonNullable<EgressTransport['tcp']>;

/** As Go prints its struct. */
const printedTcp = ({ url, tls }: Tcp) => ({
  URL: url,
  TLSConfig: tls ? { CABundle: tls.caBundle, ClientKey: tls.clientKey, ClientCert: tls.clientCert } : null,
});

function tcpErrors({ url, tls }: Tcp): readonly FieldError[] {
  if (url.startsWith('http://')) {
    return tls ? [invalidValue(`${at}.tlsConfig`, 'nil', 'config must not be present when using HTTP')] : [];
  }
  if (!url.startsWith('https://')) {
    return [invalidValue(`${at}.url`, url, 'supported connection protocols are http:// and https://')];
  }
  if (!tls) return [required(`${at}.tlsConfig`, 'TLSConfig must be present when using HTTPS')];
  const { caBundle, clientCert, clientKey } = tls;
  const missing = (name: string, path: string, detail: string): readonly FieldError[] =>
    existsSync(path) ? [] : [invalidValue(`${at}.tlsConfig.${name}`, path, detail)];
  const wanted = (name: string, path: string, none: string, absent: string): readonly FieldError[] =>
    path === '' ? [invalidValue(`${at}.tlsConfig.${name}`, 'nil', none)] : missing(name, path, absent);
  return [
    ...(caBundle === '' ? [] : missing('caBundle', caBundle, 'TLS config ca bundle does not exist')),
    ...wanted('clientCert', clientCert, 'Using TLS requires clientCert', 'TLS client cert does not exist'),
    ...wanted('clientKey', clientKey, 'Using TLS requires requires clientKey', 'TLS client key does not exist'),
  ];
}
