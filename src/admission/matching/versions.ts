import { apiVersionOf, parseApiVersion, sameGvk } from '../../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import { whenKnown } from '../../apimachinery/eventually.ts';
import type { Eventually } from '../../apimachinery/eventually.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { Codec, Converted } from '../../schema/codec/codec.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** The request with its objects in the version in which a webhook wants them. */
export type ViewOutcome =
  | { readonly outcome: 'converted'; readonly view: AdmissionAttributes }
  | { readonly outcome: 'inconvertible'; readonly error: string };

export type ViewAs = (kind: GroupVersionKind) => Eventually<ViewOutcome>;

/** The request as webhooks and expressions see it: with its object as Go prints it. */
export function printedView(view: AdmissionAttributes, codec: Codec): AdmissionAttributes {
  const object = view.object && (view.codec ?? codec).printed(view.object);
  return object === view.object ? view : { ...view, object };
}

/** Printed views of a request that nothing changes, each kind converted once. Follows apiserver pkg/admission/conversion.go. */
export function immutableViews(request: AdmissionAttributes, codec: Codec): ViewAs {
  const views: { readonly kind: GroupVersionKind; readonly view: Eventually<ViewOutcome> }[] = [];
  return (kind) => {
    const known = views.find((entry) => sameGvk(entry.kind, kind));
    if (known) return known.view;
    const view = whenKnown(convertRequest(request, kind, codec), (viewed): ViewOutcome =>
      viewed.outcome === 'converted' ? { outcome: 'converted', view: printedView(viewed.view, codec) } : viewed,
    );
    views.push({ kind, view });
    return view;
  };
}

/**
 * The object and the old object of a request as another version of their kind.
 * Follows apiserver pkg/admission/conversion.go (rules SEL-33, MUT-5).
 */
export function convertRequest(
  request: AdmissionAttributes,
  kind: GroupVersionKind,
  codec: Codec,
): Eventually<ViewOutcome> {
  const own = request.codec ?? codec;
  return whenKnown(convertObject(request.object, kind, own), (object) => {
    if (typeof object === 'string') return { outcome: 'inconvertible', error: object };
    return whenKnown(convertObject(request.oldObject, kind, own), (oldObject) => {
      if (typeof oldObject === 'string') return { outcome: 'inconvertible', error: oldObject };
      if (object === request.object && oldObject === request.oldObject) return { outcome: 'converted', view: request };
      return { outcome: 'converted', view: { ...request, object, oldObject } };
    });
  });
}

/** The converted object, or the text of what went wrong. */
function convertObject(
  object: KubernetesObject | null,
  kind: GroupVersionKind,
  codec: Codec,
): Eventually<KubernetesObject | null | string> {
  if (object === null || (object.kind === kind.kind && object.apiVersion === apiVersionOf(kind))) return object;
  return whenKnown(codec.convert(object, kind), (converted) =>
    converted.outcome === 'converted' ? ofKind(converted.object, kind.kind) : converted.error,
  );
}

/**
 * A mutated object converted into the object of the request as it stands: fields that the conversion leaves alone keep
 * their values there. Follows ConvertVersionedAttributes of conversion.go.
 */
export function convertInto(
  mutated: KubernetesObject,
  existing: KubernetesObject,
  { kind, codec }: Pick<AdmissionAttributes, 'kind'> & { readonly codec: Codec },
): Eventually<Converted> {
  return whenKnown(codec.convertInto(mutated, kind, existing), (converted) =>
    converted.outcome === 'converted'
      ? { outcome: 'converted', object: ofKind(converted.object, mutated.kind) }
      : converted,
  );
}

/** A custom resource may have been sent with another kind: it is shown with its own, and refused only when it is validated. */
export const ofKind = (object: KubernetesObject, kind: string): KubernetesObject =>
  object.kind === kind ? object : { ...object, kind };

/**
 * A request as those see it who are asked in its own version, and what its object is. Follows ConvertToGVK of
 * conversion.go, which sets the kind; a patch may have made something of the apiVersion that cannot be converted.
 */
export function asSent(request: AdmissionAttributes): { view: AdmissionAttributes; kind: GroupVersionKind } {
  const { object, kind } = request;
  if (object === null) return { view: request, kind };
  if (object.apiVersion !== apiVersionOf(kind)) {
    return { view: request, kind: { ...parseApiVersion(object.apiVersion), kind: object.kind } };
  }
  return { view: object.kind === kind.kind ? request : { ...request, object: ofKind(object, kind.kind) }, kind };
}
