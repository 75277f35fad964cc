import {
  configurationKind,
  openDocument,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../apiserver/admission/configuration/configuration-document.ts';
import { stringField, intField } from '../../machinery/meta/decode-fields.ts';
import { type FieldError, fieldErrorText, invalidValue } from '../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../machinery/go/go-url.ts';
import { tryGo } from '../../adapters/config/read-files.ts';
import { readBoundedFile } from '../../adapters/files/bounded-file.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { aggregated } from '../../adapters/config/upstream/validate-options.ts';
import type { SpanTarget } from '../../adapters/telemetry/span-sender.ts';

const group = 'apiserver.config.k8s.io';
const kindName = 'TracingConfiguration';
const kind = configurationKind({
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, kindName]),
  scheme: 'k8s.io/apiserver/pkg/server/options/tracing.go:49',
  struct: { type: kindName, fields: { samplingRatePerMillion: intField('int32'), endpoint: stringField() } },
  path: kindName,
});
const others = [
  'AdmissionConfiguration',
  'AuthenticationConfiguration',
  'AuthorizationConfiguration',
  'EncryptionConfiguration',
];
const defaultEndpoint = 'localhost:4317';
const million = 1_000_000;

/** Reads the file of --tracing-config-file. Throws StartFailure. Follows apiserver pkg/server/options/tracing.go ApplyTo. */
export function openTracingConfiguration(path: string): SpanTarget {
  const failed = (error: string): Error => commandFailed(`failed to read tracing config: ${error}`);
  const file = tryGo(() => readBoundedFile(path));
  if (!file.ok) {
    const call = file.error === 'is a directory' ? 'read' : 'open';
    throw failed(`unable to read tracing configuration from ${JSON.stringify(path)}: ${call} ${path}: ${file.error}`);
  }
  const reading = readTracing(file.value);
  if (!reading.ok) throw failed(`unable to decode tracing configuration data: ${reading.error}`);
  const { rate, endpoint } = reading.value;
  const problem = aggregated([...rateErrors(rate), ...endpointErrors(endpoint)].map(fieldErrorText));
  if (problem !== undefined) throw commandFailed(`failed to validate tracing configuration: ${problem}`);
  return { url: toGrpcTarget(endpoint || defaultEndpoint), share: rate / million };
}

/** A name without its resolver. */
function toGrpcTarget(endpoint: string): string {
  if (/^unix(?:-abstract)?:/.test(endpoint)) return endpoint;
  return endpoint.replace(/^dns:\/\/(?:[^/]*\/)?/, '');
}

interface Read {
  readonly rate: number;
  readonly endpoint: string;
}

function readTracing(file: string): ConfigurationReading<Read> {
  const document = openDocument(file);
  // What does not say what it is, is this.
  if (!document.ok && document.error.startsWith("Object 'Kind' is missing")) return read({ rate: 0, endpoint: '' });
  if (document.ok && document.value.apiVersion === `${group}/v1` && others.includes(document.value.kind)) {
    return unreadable(`converting (v1.${document.value.kind}) to (apiserver.${kindName}): unknown conversion`);
  }
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return decoded;
  const { samplingRatePerMillion: rate, endpoint } = decoded.value;
  if (rate <= 2 ** 31 - 1 && rate >= -(2 ** 31)) return read({ rate, endpoint });
  return unreadable(
    `json: cannot unmarshal number ${rate} into Go struct field ${kindName}.${kindName}.samplingRatePerMillion of type int32`,
  );
}

/** Follows component-base tracing/api/v1/config.go. */
function rateErrors(rate: number): readonly FieldError[] {
  const found = (detail: string): FieldError => invalidValue('samplingRatePerMillion', rate, detail);
  return [
    ...(rate < 0 ? [found('sampling rate must be positive')] : []),
    ...(rate > million ? [found('sampling rate per million must be less than or equal to one million')] : []),
  ];
}

function endpointErrors(configured: string): readonly FieldError[] {
  if (configured === '') return [];
  const endpoint = configured.includes('//') ? configured : `dns://${configured}`;
  const found = (detail: string): readonly FieldError[] => [invalidValue('endpoint', endpoint, detail)];
  const reading = parseGoUrl(endpoint);
  if (reading.outcome === 'unparsable') return found(reading.error);
  const { scheme } = reading.url;
  if (['dns', 'unix', 'unix-abstract'].includes(scheme)) return [];
  return found(
    `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`,
  );
}
