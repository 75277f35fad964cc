import { type GroupVersionKind, sameGvk } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { toSentView, convertInto, convertRequest, type ViewOutcome } from '../matching/versions.ts';

/** In the version that the last webhook requested (rule MUT-4). */
export interface CurrentObject {
  readonly view: AdmissionAttributes;
  readonly kind: GroupVersionKind;
  /** The request's object, the base for conversion to other versions. */
  readonly base: KubernetesObject | null;
  /** The view was patched after it was created from `base`. */
  readonly dirty: boolean;
  /** Patched in this round. */
  readonly patched: boolean;
}

export const currentObjectOf = (request: AdmissionAttributes): CurrentObject => ({
  ...toSentView(request),
  base: request.object,
  dirty: false,
  patched: false,
});

export type WriteBackOutcome =
  | { readonly outcome: 'converted'; readonly base: KubernetesObject | null }
  | { readonly outcome: 'inconvertible'; readonly error: string };

/** The request's object with the webhooks' changes (rules MUT-5, FAIL-25). */
export async function writeBack(
  { view, base, dirty }: CurrentObject,
  { kind }: AdmissionAttributes,
  ports: { readonly codec: Codec },
): Promise<WriteBackOutcome> {
  if (!dirty || view.object === null || base === null) return { outcome: 'converted', base };
  const { codec = ports.codec } = view;
  const converted = await convertInto(view.object, base, { kind, codec });
  return converted.outcome === 'converted' ? { outcome: 'converted', base: converted.object } : converted;
}

/** The old object is always the original. Follows apiserver pkg/admission/conversion.go. */
export async function convertCurrent(
  current: CurrentObject,
  kind: GroupVersionKind,
  request: AdmissionAttributes,
  ports: { readonly codec: Codec },
): Promise<{ readonly viewed: ViewOutcome; readonly current: CurrentObject }> {
  if (sameGvk(kind, current.kind)) return { viewed: { outcome: 'converted', view: current.view }, current };
  const written = await writeBack(current, request, ports);
  if (written.outcome === 'inconvertible') return { viewed: written, current };
  const { base } = written;
  const viewed = await convertRequest(
    { ...current.view, object: base, oldObject: request.oldObject },
    kind,
    ports.codec,
  );
  if (viewed.outcome === 'inconvertible') return { viewed, current };
  return { viewed, current: { ...current, view: viewed.view, kind, base, dirty: false } };
}
