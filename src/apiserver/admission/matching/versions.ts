import { apiVersionOf, type GroupVersionKind, parseApiVersion, sameGvk } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Codec, Converted } from '../../../api/codec/codec.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';

export type ViewOutcome =
  | { readonly outcome: 'converted'; readonly view: AdmissionAttributes }
  | { readonly outcome: 'inconvertible'; readonly error: string };

export type ViewAs = (kind: GroupVersionKind) => Promise<ViewOutcome>;

export function printView(view: AdmissionAttributes, codec: Codec): AdmissionAttributes {
  const object = view.object && (view.codec ?? codec).printed(view.object);
  return object === view.object ? view : { ...view, object };
}

export function createImmutableViews(request: AdmissionAttributes, codec: Codec): ViewAs {
  const views: { readonly kind: GroupVersionKind; readonly view: Promise<ViewOutcome> }[] = [];
  const printed: ViewAs = async (kind) => {
    const viewed = await convertRequest(request, kind, codec);
    return viewed.outcome === 'converted' ? { outcome: 'converted', view: printView(viewed.view, codec) } : viewed;
  };
  return (kind) => {
    const known = views.find((entry) => sameGvk(entry.kind, kind));
    if (known) return known.view;
    const view = printed(kind);
    views.push({ kind, view });
    return view;
  };
}

/** Follows apiserver pkg/admission/conversion.go (rules SEL-33, MUT-5). */
export async function convertRequest(
  request: AdmissionAttributes,
  kind: GroupVersionKind,
  codec: Codec,
): Promise<ViewOutcome> {
  const own = request.codec ?? codec;
  const object = await convertObject(request.object, kind, own);
  if (typeof object === 'string') return { outcome: 'inconvertible', error: object };
  const oldObject = await convertObject(request.oldObject, kind, own);
  if (typeof oldObject === 'string') return { outcome: 'inconvertible', error: oldObject };
  if (object === request.object && oldObject === request.oldObject) return { outcome: 'converted', view: request };
  return { outcome: 'converted', view: { ...request, object, oldObject } };
}

async function convertObject(
  object: KubernetesObject | null,
  kind: GroupVersionKind,
  codec: Codec,
): Promise<KubernetesObject | null | string> {
  if (object === null || (object.kind === kind.kind && object.apiVersion === apiVersionOf(kind))) return object;
  const converted = await codec.convert(object, kind);
  return converted.outcome === 'converted' ? withKind(converted.object, kind.kind) : converted.error;
}

/**
 * Converts a mutated object into the request's version; fields without conversion keep their values. Follows
 * ConvertVersionedAttributes of conversion.go.
 */
export async function convertInto(
  mutated: KubernetesObject,
  existing: KubernetesObject,
  { kind, codec }: Pick<AdmissionAttributes, 'kind'> & { readonly codec: Codec },
): Promise<Converted> {
  const converted = await codec.convertInto(mutated, kind, existing);
  if (converted.outcome === 'inconvertible') return converted;
  return { outcome: 'converted', object: withKind(converted.object, mutated.kind) };
}

/** The kind of a custom resource in the body may be wrong until validation. */
export const withKind = (object: KubernetesObject, kind: string): KubernetesObject =>
  object.kind === kind ? object : { ...object, kind };

/**
 * The request in its own version. Follows ConvertToGVK of conversion.go, which sets the kind; a patch may have broken
 * the apiVersion.
 */
export function toSentView(request: AdmissionAttributes): { view: AdmissionAttributes; kind: GroupVersionKind } {
  const { object, kind } = request;
  if (object === null) return { view: request, kind };
  if (object.apiVersion !== apiVersionOf(kind)) {
    return { view: request, kind: { ...parseApiVersion(object.apiVersion), kind: object.kind } };
  }
  return { view: object.kind === kind.kind ? request : { ...request, object: withKind(object, kind.kind) }, kind };
}
