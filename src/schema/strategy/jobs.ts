import { asObject } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { ok } from '../../apimachinery/result.ts';
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
function withGeneratedSelector(job: KubernetesObject): KubernetesObject {
  const spec = asObject(job['spec']);
  if (spec['manualSelector'] === true) return job;
  const { name = '', uid = '' } = metadataOf(job);
  const template = asObject(spec['template']);
  const metadata = asObject(template['metadata']);
  const labels = missing(asObject(metadata['labels']), {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  const selector = asObject(spec['selector']);
  const matchLabels = missing(asObject(selector['matchLabels']), { 'batch.kubernetes.io/controller-uid': uid });
  const generated = {
    selector: { matchLabels, ...without(selector, 'matchLabels') },
    template: { ...template, metadata: { ...metadata, labels } },
  };
  return withField(job, 'spec', { ...spec, ...generated });
}

const missing = (labels: JsonObject, generated: JsonObject): JsonObject => ({ ...generated, ...labels });

const without = (object: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
