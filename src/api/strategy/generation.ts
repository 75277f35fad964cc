import { sameBut, sameJson } from '../../machinery/json/json-equal.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

type NewGeneration = (object: KubernetesObject, old: KubernetesObject) => boolean;

/** A new generation whenever one of these top-level fields changed. */
export const changeOf =
  (...fields: readonly string[]): NewGeneration =>
  (object, old) =>
    fields.some((field) => !sameJson(object[field], old[field]));

/** Generation 1 for good. */
export const neverAgain: NewGeneration = () => false;

/** Spec or annotations. Follows kubernetes pkg/registry/apps/deployment/strategy.go. */
export const changeOfSpecOrAnnotations: NewGeneration = (object, old) =>
  changeOf('spec')(object, old) || !sameJson(metadataOf(object).annotations, metadataOf(old).annotations);

/** Anything outside metadata, or labels. Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
export const changeOfContentOrLabels: NewGeneration = (object, old) =>
  changeOfContent(object, old) || !sameJson(metadataOf(object).labels, metadataOf(old).labels);

/** Anything outside metadata. Follows apiextensions-apiserver pkg/registry/customresource/strategy.go. */
export const changeOfContent: NewGeneration = (object, old) => !sameBut('metadata', object, old);
