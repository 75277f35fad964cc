import { asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

export type FieldSelector =
  | {
      readonly outcome: 'parsed';
      readonly matches: (object: KubernetesObject) => boolean;
      /** The complaint about the first field that the resource does not select by. */
      readonly unsupported: string | undefined;
    }
  | { readonly outcome: 'unparsable'; readonly error: string };

/** Fields that a selector may name, beyond metadata.name and metadata.namespace. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
  events: [...eventFields('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
  'events.events.k8s.io': [...eventFields('regarding'), 'reason', 'reportingController', 'type'],
};

function eventFields(object: string): readonly string[] {
  return ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (field) => `${object}.${field}`,
  );
}

/** Resources whose selectable fields have no list of their own say so in other words than those that do. */
const metadataFields = ['metadata.name', 'metadata.namespace'];

/** What is selected from. */
export interface Selected {
  readonly group: string;
  readonly resource: string;
  readonly selectableFields?: readonly string[];
  readonly namespaced?: boolean;
}

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** `a=b,c!=d` as a predicate. Follows apimachinery pkg/fields/selector.go. */
export function parseFieldSelector(
  text: string,
  { group, resource, selectableFields, namespaced = true }: Selected,
): FieldSelector {
  const known = selectableFields ?? selectable[group === '' ? resource : `${resource}.${group}`];
  const common = namespaced || !selectableFields ? metadataFields : metadataFields.slice(0, 1);
  const terms: Term[] = [];
  for (const part of splitTerms(text)) {
    const term = readTerm(part);
    if (!term) {
      return { outcome: 'unparsable', error: `invalid selector: '${text}'; can't understand '${part}'` };
    }
    if ('error' in term) return { outcome: 'unparsable', error: `invalid field selector: ${term.error}` };
    terms.push(term);
  }
  const stranger = terms.find(({ field }) => !common.includes(field) && !known?.includes(field));
  return {
    outcome: 'parsed',
    unsupported: stranger && unknownField(stranger.field, known !== undefined),
    matches: (object) => terms.every(({ field, equal, value }) => (fieldText(object, field) === value) === equal),
  };
}

const unknownField = (field: string, hasOwnList: boolean): string =>
  hasOwnList
    ? `field label not supported: ${field}`
    : `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

/** The parts between commas, in their own order; a backslash keeps the character after it. */
const splitTerms = (text: string): readonly string[] => [...(text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [])].sort();

function readTerm(part: string): Term | { readonly error: string } | undefined {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (!match) return undefined;
  const [, field = '', operator = '', text = ''] = match;
  const value = unescaped(text);
  return typeof value === 'string' ? { field, equal: operator !== '!=', value } : value;
}

/** Only a backslash, a comma and an equals sign are escaped, and must be. Follows selector.go UnescapeValue. */
function unescaped(text: string): string | { readonly error: string } {
  for (const [part] of text.matchAll(/\\(?:.|$)|[,=]/gsu)) {
    const [first = '', second = ''] = part;
    if (first !== '\\') return { error: `unescaped character in value: ${first.codePointAt(0)}` };
    if (second === '' || !'\\,='.includes(second)) return { error: `invalid escape sequence: ${part}` };
  }
  return text.replaceAll(/\\([\\,=])/g, '$1');
}

/** The value of a field as the selector compares it: '' when it is not set. */
function fieldText(object: KubernetesObject, field: string): string {
  switch (field) {
    case 'status.podIPs':
      return asList(valueAt(object, 'status', 'podIPs'))
        .map((entry) => asString(asObject(entry)['ip']))
        .join(',');
    case 'source':
      return asString(valueAt(object, 'source', 'component')) || asString(valueAt(object, 'reportingComponent'));
    case 'spec.hostNetwork':
    case 'spec.unschedulable':
      return printed(valueAt(object, ...field.split('.')) ?? false);
    case 'status.successful':
      return printed(valueAt(object, 'status', 'succeeded') ?? 0);
    default:
      return printed(valueAt(object, ...field.split('.')));
  }
}

const printed = (value: JsonValue | undefined): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);
