import { asObject } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject, ObjectMeta, StringMap } from '../../machinery/meta/object.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Job } from '../types/generated/batch-v1.ts';
import { changeOf } from './generation.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withField } from './with-field.ts';

/** Follows kubernetes pkg/registry/batch/job/strategy.go. */
export const jobRules: ResourceRules = {
  newGeneration: changeOf('spec'),
  emptyStatus: {},
  defaultGarbageCollection: 'Orphan',
  defaultGarbageCollectionWarning:
    'child pods are preserved by default when jobs are deleted; ' +
    'set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  prepareForCreate: (job) => ok(withGeneratedSelector(job)),
};

/** Unless the selector is the client's own business: labels that only this job's pods have, and a selector for them. */
function withGeneratedSelector(object: KubernetesObject): KubernetesObject {
  const job: Job = object;
  const spec = asObject(job.spec);
  if (spec.manualSelector === true) return object;
  const { name = '', uid = '' } = metadataOf(object);
  const template = asObject(spec.template);
  const metadata = asObject(template.metadata);
  const labels = missing(metadata.labels, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  const selector = asObject(spec.selector);
  const matchLabels = missing(selector.matchLabels, { 'batch.kubernetes.io/controller-uid': uid });
  const generated = {
    selector: { matchLabels, ...without(selector, 'matchLabels') },
    template: { ...template, metadata: { ...metadata, labels } },
  };
  const selecting = withField(object, 'spec', { ...spec, ...generated });
  return sharesLabels(object, metadata) ? withMetadata(selecting, { labels }) : selecting;
}

/**
 * Defaulting gives a job without labels its template's map, in Go the very same one, so that what is put into one is in the
 * other. A job that was decoded again since, for a webhook's patch, has a map of its own.
 */
function sharesLabels(job: KubernetesObject, template: ObjectMeta): boolean {
  const { labels } = metadataOf(job);
  return labels !== undefined && labels === template.labels;
}

const missing = (labels: StringMap | undefined, generated: StringMap): StringMap => ({ ...generated, ...labels });

const without = (object: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
