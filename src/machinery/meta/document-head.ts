import { type GroupVersionKind, parseApiVersion } from './gvk.ts';
import { type DocumentObject, isDocumentObject, type JsonDocument } from '../json/json.ts';

/** What a document says of itself: of which kind it is, and its name and namespace, '' where it has none. */
export interface DocumentHead {
  readonly kind: GroupVersionKind;
  readonly name: string;
  readonly namespace: string;
  readonly document: DocumentObject;
}

/** The head of a document of one object, or what is wrong with it. */
export function documentHead(value: JsonDocument): DocumentHead | string {
  if (!isDocumentObject(value)) return 'an object is expected';
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') return 'apiVersion not set';
  if (typeof kind !== 'string' || kind === '') return 'kind not set';
  const { name, namespace } = isDocumentObject(value['metadata']) ? value['metadata'] : {};
  return {
    kind: { ...parseApiVersion(apiVersion), kind },
    name: typeof name === 'string' ? name : '',
    namespace: typeof namespace === 'string' ? namespace : '',
    document: value,
  };
}
