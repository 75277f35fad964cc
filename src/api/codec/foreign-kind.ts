import { apiVersionOf, parseApiVersion } from '../../machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { convertObject } from './convert.ts';

interface SentType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Why a body that names another kind than the endpoint's cannot be decoded: `no kind "Foo" is registered for version
 * "v1" in scheme "…"`, `converting (v1.Pod) to (core.ConfigMap): unknown conversion`. undefined when it names this kind,
 * in whatever version. Follows apimachinery pkg/runtime/error.go and pkg/conversion/converter.go.
 */
export function foreignKind(
  { isRegistered }: Pick<BuiltinTypes, 'isRegistered'>,
  sent: SentType,
  kind: GroupVersionKind,
): string | undefined {
  const { group, version } = parseApiVersion(sent.apiVersion);
  if (sent.kind === kind.kind && group === kind.group && version === kind.version) return undefined;
  const scheme = schemeOf(kind.group);
  const sentKind = { group, version, kind: sent.kind };
  if (!isRegistered(sentKind) || schemeOf(group) !== scheme) {
    return `no kind "${sent.kind}" is registered for version "${sent.apiVersion}" in scheme "${scheme}"`;
  }
  if (sent.kind === kind.kind && (group === kind.group || isOldGroup(sentKind))) return undefined;
  const converted = convertObject({ kind: sent.kind, apiVersion: sent.apiVersion }, kind);
  return converted.outcome === 'converted' ? undefined : converted.error;
}

/**
 * Why a body of the right kind but another version is refused, a bare 400; undefined when the version is the endpoint's.
 * Follows apiserver pkg/endpoints/handlers/create.go.
 */
export const foreignVersion = (sent: SentType, kind: GroupVersionKind): string | undefined =>
  sent.apiVersion === apiVersionOf(kind)
    ? undefined
    : `the API version in the data (${sent.apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`;

/** What was in extensions, and the Scales of apps, have moved to the groups they have now, and share their internal types. */
const isOldGroup = ({ group, kind }: GroupVersionKind): boolean =>
  group === 'extensions' || (group === 'apps' && kind === 'Scale');

/** Upstream names a scheme after the line that made it; only the first has been seen on the wire. */
function schemeOf(group: string): string {
  if (group === 'apiextensions.k8s.io') return 'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:53';
  if (group === 'apiregistration.k8s.io') return 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32';
  return 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';
}
