import { isJsonObject, type JsonDocument } from '../json/json.ts';

type Document = { readonly [field: string]: JsonDocument | undefined };

/** Metadata that only the server writes. */
export const serverMetadata: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
  'ownerReferences',
]);

/**
 * An object as it can be stored anew: what `kubectl get -o yaml` printed says of which server it came, and that is no
 * part of it. Owners are known by the uids of that server; of an object that no server has seen they stay.
 */
export function withoutServerMetadata<Printed extends Document>(object: Printed): Printed {
  const metadata: JsonDocument | undefined = object['metadata'];
  if (!isDocument(metadata)) return object;
  const isPrinted = metadata['uid'] !== undefined || metadata['resourceVersion'] !== undefined;
  const kept = Object.entries(metadata).filter(
    ([field]) => !serverMetadata.has(field) || (field === 'ownerReferences' && !isPrinted),
  );
  return { ...object, metadata: Object.fromEntries(kept) };
}

const isDocument = (value: JsonDocument | undefined): value is Document => isJsonObject(value);
