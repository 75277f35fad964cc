import { sameBut, sameJson } from '../../machinery/json/json-equal.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';

type NewGeneration = (object: KubernetesObject, old: KubernetesObject) => boolean;

export const changeOf =
  (...fields: readonly string[]): NewGeneration =>
  (object, old) =>
    fields.some((field) => !sameJson(object[field], old[field]));

/** Generation stays 1. */
export const neverAgain: NewGeneration = () => false;

/** Follows kubernetes pkg/registry/apps/deployment/strategy.go. */
export const changeOfSpecOrAnnotations: NewGeneration = (object, old) =>
  changeOf('spec')(object, old) || !sameJson(metadataOf(object).annotations, metadataOf(old).annotations);

/** Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
export const changeOfContentOrLabels: NewGeneration = (object, old) =>
  changeOfContent(object, old) || !sameJson(metadataOf(object).labels, metadataOf(old).labels);

/** Follows apiextensions-apiserver pkg/registry/customresource/strategy.go. */
export const changeOfContent: NewGeneration = (object, old) => !sameBut('metadata', object, old);
