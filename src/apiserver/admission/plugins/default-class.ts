import { compareTexts } from '../../../machinery/go/strings.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';

/**
 * The newest class marked as default, then the first by name. Follows kubernetes pkg/volume/util/storageclass.go
 * GetDefaultClass.
 */
export function defaultClass(
  classes: readonly KubernetesObject[],
  annotations: readonly string[],
): KubernetesObject | undefined {
  const isDefault = (object: KubernetesObject): boolean =>
    annotations.some((key) => metadataOf(object).annotations?.[key] === 'true');
  return classes.filter(isDefault).toSorted(newestFirst)[0];
}

function newestFirst(a: KubernetesObject, b: KubernetesObject): number {
  const [one, other] = [metadataOf(a), metadataOf(b)];
  // RFC 3339 times of one length sort as text.
  return (
    compareTexts(other.creationTimestamp ?? '', one.creationTimestamp ?? '') ||
    compareTexts(one.name ?? '', other.name ?? '')
  );
}
